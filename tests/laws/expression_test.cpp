#include "lithe/laws/expression.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

namespace lithe {
namespace {

const std::map<std::string, double> constants{{"length", 0.45}, {"mass", 2.0}, {"angle", 30.0}};

double constant(const std::string& text) { return Expression::parse(text, constants, false).value(); }
Jet jet(const std::string& text, double t) { return Expression::parse(text, constants, true).at(t); }

/// "column: message" of the error, columns from 0.
std::string complaint(const std::string& text, bool time_allowed = false) {
  try {
    Expression::parse(text, constants, time_allowed);
  } catch (const ExpressionError& error) {
    return std::to_string(error.column()) + ": " + error.what();
  }
  return "no error";
}

TEST(Expression, FollowsThePrecedenceOfArithmetic) {
  EXPECT_EQ(constant("1 + 2*3"), 7.0);
  EXPECT_EQ(constant("(1 + 2)*3"), 9.0);
  EXPECT_EQ(constant("8/4/2"), 1.0);
  EXPECT_EQ(constant("2 - 3 - 4"), -5.0);
  EXPECT_EQ(constant("2^3^2"), 512.0);
  EXPECT_EQ(constant("-2^2"), -4.0);
  EXPECT_EQ(constant("2^-1"), 0.5);
  EXPECT_EQ(constant("--3 - +2"), 1.0);
  EXPECT_EQ(constant("(-2)^3"), -8.0);
  EXPECT_EQ(constant("1 < 2"), 1.0);
  EXPECT_EQ(constant("1 + 1 >= 3"), 0.0);
  EXPECT_EQ(constant("(2 == 2) + (2 != 2) + (3 > 1) + (3 <= 1)"), 2.0);
}

TEST(Expression, KnowsNumbersNamesAndFunctions) {
  EXPECT_EQ(constant(" .5 "), 0.5);
  EXPECT_EQ(constant("2.5e-3"), 2.5e-3);
  EXPECT_EQ(constant("mass*length"), 0.9);
  EXPECT_EQ(constant("pi"), std::numbers::pi);
  EXPECT_EQ(constant("e"), std::numbers::e);
  EXPECT_DOUBLE_EQ(constant("atan2(1, -1)"), 0.75 * std::numbers::pi);
  EXPECT_EQ(constant("min(2, max(1, 5))"), 2.0);
  EXPECT_EQ(constant("sqrt(abs(-9)) + floor(-0.5) + sign(-4) + step(0)"), 2.0);
  EXPECT_EQ(constant("if(mass > 1, 10, sqrt(-1))"), 10.0);
}

TEST(Expression, PrefersADeclaredHyphenatedNameToAMinus) {
  const std::map<std::string, double> names{{"a", 10.0}, {"b", 3.0}, {"a-b", 100.0}, {"x-y-z", 5.0}};
  const auto value = [&](const char* text) { return Expression::parse(text, names, false).value(); };
  EXPECT_EQ(value("a-b"), 100.0);
  EXPECT_EQ(value("a - b"), 7.0);
  EXPECT_EQ(value("a -b"), 7.0);
  EXPECT_EQ(value("b-a"), -7.0);
  EXPECT_EQ(value("a-b-b"), 97.0);
  EXPECT_EQ(value("x-y-z-1"), 4.0);
  EXPECT_EQ(value("2*x-y-z/5 + a-1"), 11.0);
  try {
    value("x-y-w");
    FAIL();
  } catch (const ExpressionError& error) {
    EXPECT_STREQ(error.what(), "unknown name 'x-y-w'; did you mean 'x-y-z'?");
  }
}

TEST(Expression, TurnsDegreesIntoRadians) {
  EXPECT_DOUBLE_EQ(constant("60 deg"), std::numbers::pi / 3.0);
  EXPECT_DOUBLE_EQ(constant("(angle + 15) deg"), std::numbers::pi / 4.0);
  EXPECT_DOUBLE_EQ(constant("angle deg"), std::numbers::pi / 6.0);
  EXPECT_DOUBLE_EQ(constant("-90deg"), -std::numbers::pi / 2.0);
  EXPECT_DOUBLE_EQ(constant("sin(30 deg) + 1"), 1.5);
}

TEST(Expression, KnowsWhetherItDependsOnTime) {
  EXPECT_TRUE(Expression::parse("2*t", constants, true).depends_on_time());
  EXPECT_FALSE(Expression::parse("2*mass", constants, true).depends_on_time());
  EXPECT_EQ(Expression::parse(" 2*mass", constants, true).text(), " 2*mass");
  EXPECT_EQ(Expression::parse("mass*sin(length) + mass", constants, true).constants(),
            (std::set<std::string>{"length", "mass"}));
}

/// An expression of t with its derivatives in closed form.
struct ClosedForm {
  const char* text;
  double (*value)(double);
  double (*rate)(double);
  double (*second)(double);
};

class ClosedFormTest : public testing::TestWithParam<ClosedForm> {};

TEST_P(ClosedFormTest, DerivativesAreExact) {
  const ClosedForm& form = GetParam();
  for (const double t : {0.2, 0.5, 0.9}) {
    const Jet computed = jet(form.text, t);
    EXPECT_NEAR(computed.value, form.value(t), 1e-14 * (1.0 + std::abs(form.value(t))));
    EXPECT_NEAR(computed.rate, form.rate(t), 4e-14 * (1.0 + std::abs(form.rate(t))));
    EXPECT_NEAR(computed.second, form.second(t), 2e-13 * (1.0 + std::abs(form.second(t))));
  }
}

using std::cos, std::cosh, std::exp, std::log, std::pow, std::sin, std::sinh, std::sqrt;
constexpr double pi = std::numbers::pi;

INSTANTIATE_TEST_SUITE_P(
    Expression, ClosedFormTest,
    testing::Values(
        ClosedForm{"t^3 - 2*t", [](double t) { return t * t * t - 2 * t; }, [](double t) { return 3 * t * t - 2; },
                   [](double t) { return 6 * t; }},
        ClosedForm{"sin(2*pi*t)*t", [](double t) { return t * sin(2 * pi * t); },
                   [](double t) { return sin(2 * pi * t) + 2 * pi * t * cos(2 * pi * t); },
                   [](double t) { return 4 * pi * cos(2 * pi * t) - 4 * pi * pi * t * sin(2 * pi * t); }},
        ClosedForm{"1/(1+t)", [](double t) { return 1 / (1 + t); }, [](double t) { return -1 / pow(1 + t, 2); },
                   [](double t) { return 2 / pow(1 + t, 3); }},
        ClosedForm{"exp(-t^2)", [](double t) { return exp(-t * t); }, [](double t) { return -2 * t * exp(-t * t); },
                   [](double t) { return (4 * t * t - 2) * exp(-t * t); }},
        ClosedForm{"sqrt(1+t)", [](double t) { return sqrt(1 + t); }, [](double t) { return 0.5 / sqrt(1 + t); },
                   [](double t) { return -0.25 * pow(1 + t, -1.5); }},
        ClosedForm{"log(t)", [](double t) { return log(t); }, [](double t) { return 1 / t; },
                   [](double t) { return -1 / (t * t); }},
        ClosedForm{"t^t", [](double t) { return pow(t, t); }, [](double t) { return pow(t, t) * (log(t) + 1); },
                   [](double t) { return pow(t, t) * (pow(log(t) + 1, 2) + 1 / t); }},
        ClosedForm{"(t-1)^3", [](double t) { return pow(t - 1, 3); }, [](double t) { return 3 * pow(t - 1, 2); },
                   [](double t) { return 6 * (t - 1); }},
        // atan2 of a point that turns with 3 t has the rate 3, whatever its distance does
        ClosedForm{"atan2((1+t)*sin(3*t), (1+t)*cos(3*t))", [](double t) { return 3 * t; }, [](double) { return 3.0; },
                   [](double) { return 0.0; }},
        ClosedForm{"tan(t)", [](double t) { return std::tan(t); }, [](double t) { return 1 / pow(cos(t), 2); },
                   [](double t) { return 2 * sin(t) / pow(cos(t), 3); }},
        ClosedForm{"tanh(t)", [](double t) { return std::tanh(t); }, [](double t) { return 1 / pow(cosh(t), 2); },
                   [](double t) { return -2 * sinh(t) / pow(cosh(t), 3); }},
        ClosedForm{"90 deg * t^2", [](double t) { return pi / 2 * t * t; }, [](double t) { return pi * t; },
                   [](double) { return pi; }}));

class CentralDifferenceTest : public testing::TestWithParam<const char*> {};

TEST_P(CentralDifferenceTest, DerivativesAgree) {
  // Error of the differences: truncation ~ h^2, rounding ~ eps/h and eps/h^2; h = 1e-4 keeps both below 1e-6.
  const Expression expression = Expression::parse(GetParam(), constants, true);
  const double h = 1e-4;
  for (const double t : {0.15, 0.4, 0.7}) {
    const Jet before = expression.at(t - h), here = expression.at(t), after = expression.at(t + h);
    EXPECT_NEAR(here.rate, (after.value - before.value) / (2 * h), 1e-6);
    EXPECT_NEAR(here.second, (after.rate - before.rate) / (2 * h), 1e-6);
    EXPECT_NEAR(here.second, (after.value - 2 * here.value + before.value) / (h * h), 1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(Expression, CentralDifferenceTest,
                         testing::Values("asin(t)", "acos(t^2)", "atan(3*t)", "sinh(t)*cosh(t)", "cos(exp(t))",
                                         "(1+t)^(2*t)", "abs(sin(t) - 2)", "min(t, t^2) + max(t, 2)",
                                         "if(t < 10, t^4, 0)/(2 + sin(t))", "atan2(t, 1 + t^2)", "length^t", "2^-t",
                                         "sqrt(t + 1)/log(t + 2)", "step(t)*tanh(t) + sign(t)*t^3 + floor(t)"));

TEST(Expression, StaysFiniteWhereOnlyTheFormulaIsSingular) {
  EXPECT_EQ(jet("t^2", 0.0).second, 2.0);
  EXPECT_EQ(jet("t^1", 0.0).rate, 1.0);
  EXPECT_EQ(jet("t^1", 0.0).second, 0.0);
  EXPECT_EQ(jet("t^0", 0.0).rate, 0.0);
  EXPECT_EQ(jet("sqrt(0) + t", 0.0).rate, 1.0);
  EXPECT_EQ(jet("(t-1)^2", 0.0).value, 1.0);
}

TEST(Expression, BreaksWhereAnArgumentCrossesZero) {
  const auto breaks = [](const char* text) { return Expression::parse(text, constants, true).breakpoints(); };
  EXPECT_EQ(breaks("step(t - 0.5)*10"), (std::vector<double>{0.5}));
  EXPECT_EQ(breaks("if(2*t > 1, 1, if(t <= 0.25, 2, 3))"), (std::vector<double>{0.25, 0.5}));
  EXPECT_EQ(breaks("abs(t/2 - 1) + min(t, 3)"), (std::vector<double>{2.0, 3.0}));
  EXPECT_EQ(breaks("sign(-(t + 1))"), (std::vector<double>{-1.0}));
  EXPECT_EQ(breaks("step(t - sqrt(mass*2))"), (std::vector<double>{2.0}));
  EXPECT_TRUE(breaks("sin(t) + step(1)").empty());
}

TEST(ExpressionErrors, NameThePlaceAndTheRemedy) {
  EXPECT_EQ(complaint("2*lenght"), "2: unknown name 'lenght'; did you mean 'length'?");
  EXPECT_EQ(complaint("zebra + 1"), "0: unknown name 'zebra'");
  EXPECT_EQ(complaint("sine(1)"), "0: unknown function 'sine'; did you mean 'sin'?");
  EXPECT_EQ(complaint("1 + t"), "4: time t is not known here; it may be used in drives and loads");
  EXPECT_EQ(complaint("sin + 1"), "0: the function 'sin' needs its argument: sin(...)");
  EXPECT_EQ(complaint("sin(1, 2)"), "0: 'sin' takes 1 argument, not 2");
  EXPECT_EQ(complaint("atan2(1)"), "0: 'atan2' takes 2 arguments, not 1");
  EXPECT_EQ(complaint("if()"), "0: 'if' takes 3 arguments, not 0");
  EXPECT_EQ(complaint("min(1,2,3,4,5)"), "0: 'min' takes 2 arguments, not that many");
  EXPECT_EQ(complaint(""), "0: the expression is empty");
  EXPECT_EQ(complaint("  "), "2: the expression is empty");
  EXPECT_EQ(complaint("1 +"), "3: expected a number, a name or '(' but the expression ends here");
  EXPECT_EQ(complaint("1 + * 2"), "4: expected a number, a name or '(' but found '*'");
  EXPECT_EQ(complaint("2*(1 + 3"), "2: this '(' is never closed");
  EXPECT_EQ(complaint("1 + 3)"), "5: this ')' was never opened");
  EXPECT_EQ(complaint("2 mass"), "2: expected an operator but found 'mass'");
  EXPECT_EQ(complaint("2 rad"), "2: expected an operator but found 'rad'; angles are in radians already");
  EXPECT_EQ(complaint("2 degrees"), "2: expected an operator but found 'degrees'; write deg");
  EXPECT_EQ(
      complaint("(2) kg"),
      "4: expected an operator but found 'kg'; units are not written: quantities are in SI, and angles may end in deg");
  EXPECT_EQ(complaint("2(3)"), "1: expected an operator but found '('");
  EXPECT_EQ(complaint("mass(3)"), "4: expected an operator but found '('");
  EXPECT_EQ(complaint("1,5"),
            "1: a ',' may only stand between the arguments of a function; decimals are written with '.'");
  EXPECT_EQ(complaint("2**3"), "1: '**' is not an operator; write ^ for powers");
  EXPECT_EQ(complaint("mass = 3"), "5: '=' is not an operator; write == to compare");
  EXPECT_EQ(complaint("1 < 2 < 3"), "6: comparisons cannot be chained; multiply them: (a < b)*(b < c)");
  EXPECT_EQ(complaint("1e999"), "0: the number 1e999 is out of range");
  EXPECT_EQ(complaint("5 % 3"), "2: found '%', which has no meaning here");
  EXPECT_EQ(complaint("deg"), "0: 'deg' must follow a number, a name or ')'");
  EXPECT_EQ(complaint("60°"), "2: found '°', which has no meaning here");
}

TEST(ExpressionErrors, DeepNestingIsRefusedNotACrash) {
  const std::string refusal = "nested too deeply";
  EXPECT_NE(complaint(std::string(100000, '(')).find(refusal), std::string::npos);
  std::string powers = "1";
  for (int i = 0; i < 10000; ++i) powers += "^1";
  EXPECT_NE(complaint(powers).find(refusal), std::string::npos);
  std::string calls;
  for (int i = 0; i < 90; ++i) calls += "max(1,";
  EXPECT_NE(complaint(calls).find(refusal), std::string::npos);
  EXPECT_EQ(constant(std::string(100000, '-') + "1"), 1.0);
  EXPECT_EQ(constant(std::string(40, '(') + "1" + std::string(40, ')')), 1.0);
}

TEST(Expression, OfOtherVariablesThanTime) {
  const Expression force = Expression::of_variables("mass*x + 3*v*abs(x - length)", constants, {"x", "v"});
  EXPECT_DOUBLE_EQ(force.value_at(std::array{1.0, 2.0}), 2.0 + 6.0 * 0.55);
  EXPECT_FALSE(force.depends_on_time());
  EXPECT_EQ(force.breakpoints(), std::vector<double>{0.45});  // those of x
  const auto refused = [](const char* text, const std::vector<std::string>& variables) -> std::string {
    try {
      Expression::of_variables(text, constants, variables);
    } catch (const ExpressionError& error) {
      return std::to_string(error.column()) + ": " + error.what();
    }
    return "no error";
  };
  EXPECT_EQ(refused("2*t", {"x"}), "2: time t is not known here; it may be used in drives and loads");
  EXPECT_EQ(refused("x + stretc", {"x", "stretch"}), "4: unknown name 'stretc'; did you mean 'stretch'?");
  EXPECT_EQ(refused("x + mass", {"x", "mass"}),
            "4: 'mass' is a variable of this expression, and a parameter; call the parameter otherwise");
}

TEST(Expression, SaysWhichNamesAreTaken) {
  EXPECT_EQ(Expression::why_not_a_name("link_length2"), "");
  EXPECT_EQ(Expression::why_not_a_name("t"), "'t' is the time");
  EXPECT_EQ(Expression::why_not_a_name("e"), "'e' is a built-in constant");
  EXPECT_EQ(Expression::why_not_a_name("min"), "'min' is a built-in function");
  EXPECT_EQ(Expression::why_not_a_name("crank-length"), "");
  EXPECT_EQ(Expression::why_not_a_name(std::string(65, 'a')), "a name has at most 64 letters");
  for (const char* name : {"", "2a", "crank-", "a--b", "a b", "-a"})
    EXPECT_EQ(Expression::why_not_a_name(name),
              "a name is made of letters, digits, _ and single hyphens inside, and starts with a letter");
}

}  // namespace
}  // namespace lithe
