lithe link boom examples/boutin-boom.yaml -o boom.h5
cp "$LITHE_SOURCE/tests/data/calculix-bar/mass.mtx" bracket-m.mtx
cp "$LITHE_SOURCE/tests/data/calculix-bar/stiffness.mtx" bracket-k.mtx
cp "$LITHE_SOURCE/tests/data/calculix-bar/nodes.txt" bracket-nodes.txt
