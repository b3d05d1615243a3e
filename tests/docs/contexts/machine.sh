printf 't,M\n0,0\n1,2\n' > moment.csv
printf 't,wrist\n0,0\n1,2\n' > torque.csv
