// A mechanism as large as a report is meant for: a chain of elastic beams that winds for twenty seconds.
export const links = 21;

const each = (line) => Array.from({ length: links }, (_, k) => line(k + 1)).join('\n');
const before = (k) => (k === 1 ? 'ground' : `beam-${k - 1}/tip`);

export const chainModel = `lithe: 1
name: chain of ${links} elastic links
gravity: [0, -9.81, 0]
links:
${each((k) => `  beam-${k}:
    beam: {length: 0.1, mass: 0.02, EI: 40, elements: 6, bending: y, torsion: false}
    modes: {count: 2}
    damping: {ratio: 1}                # so that the integrator need not follow vibrations`)}
joints:
${each((k) => `  pin-${k}: {revolute: z, from: ${before(k)}, to: beam-${k}/root, actuated: true}`)}
drives:
${each((k) => `  pin-${k}: {follow: 0.25*sin(2*t - ${k}/3), by: motion}`)}
run: {until: 20, every: 0.01, rtol: 1e-4, atol: 1e-6}
record: [coordinates, energy, frames: [beam-${links}/tip, beam-10/tip]]
`;
