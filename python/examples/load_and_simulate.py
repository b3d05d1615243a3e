"""Loads a model file with another value of a parameter, simulates it and looks at what was recorded."""

import sys

import lithe

folder = sys.argv[1] if len(sys.argv) > 1 else "examples"
try:
    model = lithe.load(f"{folder}/khan-3rrr-feedback.yaml", set={"force-y": -20})
    result = model.simulate(until=1.0)  # output="run.h5", csv="run.csv" write files meanwhile
except lithe.ModelError as error:  # all complaints with file, line and key; error.diagnostics has them one by one
    sys.exit(str(error))
except lithe.PhysicsError as error:  # error.time, and error.result with the rows up to there
    sys.exit(str(error))

print(f"{model.name}: {len(result)} rows, {len(result.columns)} columns")
for motor in ("motor-1", "motor-2", "motor-3"):
    print(f"{motor}: {result['q.' + motor][-1]:.6f} rad, {result['tau.' + motor][-1]:.6f} N m")
print("closed to 1e-11 m:", "yes" if result["closure"].max() < 1e-11 else "no")
