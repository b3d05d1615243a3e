// A program outside the repository: only what find_package(lithe) brings.
#include <iostream>
#include <lithe/version.hpp>

int main() { std::cout << lithe::version() << '\n'; }
