% Regulators, estimators and reduced models of one linear system by the control package of Octave (SLICOT).
% control_package.py puts assignments of A, B, C, Q, R, W, V, Wd, T, order, w before this text.
pkg load control
n = rows (A); m = columns (B); p = rows (C);
% In balanced states x = S z, without which SLICOT gives up on matrices with entries from 1 to 1e9.
[S, Ab] = balance (A);
K = lqr (Ab, S \ B, S' * Q * S, R) / S;
% The gain stays the same when both noises are scaled; the equation is best when its terms are of one size. Two of Newton's steps
% with lyap take out what the first answer leaves.
Bb = S \ B; Cb = C * S; G = Bb * W * Bb';
level = sqrt (norm (G) / norm (Cb' / V * Cb));
Lb = lqe (Ab, Bb, Cb, W / level, V / level);
for step = 1:2
  P = lyap (Ab - Lb * Cb, (G + Lb * V * Lb') / level);
  Lb = P * Cb' / (V / level);
endfor
L = S * Lb;
% The cost over one interval, by quadrature: Gauss-Legendre with 40 points on each of 8 parts.
F = [A B; zeros(m, n + m)];
k = 1:39;
J = diag (k ./ sqrt (4 * k .^ 2 - 1), 1);
[vectors, nodes] = eig (J + J');
weights = 2 * vectors(1, :) .^ 2;
cost = zeros (n + m);
for part = 0:7
  for i = 1:40
    E = expm (F * T * (part + (1 + nodes(i, i)) / 2) / 8);
    cost += weights(i) / 16 * E' * blkdiag (Q, R) * E;
  endfor
endfor
cost = (cost + cost') / 2;  % over T, which does not change the gain
E = expm (F * T);
Ad = E(1:n, 1:n); Bd = E(1:n, n+1:end);
sys = c2d (ss (A, B, C, zeros (p, m)), T, "zoh");
Kd = dlqr (S \ sys.a * S, S \ sys.b, S' * Q * S, R) / S;
Ks = dlqr (S \ Ad * S, S \ Bd, S' * cost(1:n, 1:n) * S, cost(n+1:end, n+1:end), S' * cost(1:n, n+1:end)) / S;
M = S * dlqe (S \ sys.a * S, inv (S), C * S, Wd, V);
Ld = sys.a * M;
closed = ss (A - B * K, B, C, zeros (p, m));
hankel = hsvd (closed);
small = btamodred (closed, order, "method", "sr");
G = freqresp (small, w);
full = freqresp (closed, w);
for name = {"K", "L", "Kd", "Ks", "M", "Ld", "hankel", "G", "full"}
  value = eval (name{1});
  printf ("%s", name{1});
  printf (" %d", size (value));
  printf (" %.17g %.17g", [real(value(:)), imag(value(:))]');  % column by column
  printf ("\n");
endfor
