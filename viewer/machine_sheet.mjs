// What stands on the sheet of machines: which ones, and what each is made of.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The groups of the gallery, then the models that `lithe new` writes beside it. */
export function sections(examples) {
  const groups = JSON.parse(readFileSync(path.join(examples, 'gallery.json'), 'utf8'));
  const starters = readdirSync(path.join(examples, 'starters')).filter((file) => file.endsWith('.yaml')).sort().map((file) => {
    const key = file.replace('.yaml', ''), look = readFileSync(path.join(examples, 'starters', file), 'utf8').match(/^# (.*)/)[1];
    return { key: `starter-${key}`, file: `starters/${key}`, look: look.replace(/^[^:]*: /, '') };
  });
  return [
    ...groups.map(({ group, examples: list }) => ({ title: group, machines: list.map(({ key, look }) => ({ key, file: key, look })) })),
    { title: 'Starters', machines: starters },
  ];
}

const joints = { revolute: 'pin', prismatic: 'slide', spherical: 'ball', universal: 'universal joint', cylindrical: 'sliding pin', planar: 'planar joint', fixed: 'weld', screw: 'screw' };

/** "6 elastic links, 1 rigid one; 9 pins; 3 motors", from the data of the page. */
export function partsOf(scene) {
  const count = (number, what, many = `${what}s`) => (number > 0 ? `${number} ${number === 1 ? what : many}` : '');
  const moving = scene.links.slice(1), elastic = moving.filter((link) => link.coordinates).length, meshes = moving.filter((link) => link.meshes).length;
  const kinds = Object.entries(joints).map(([type, name]) => count(scene.joints.filter((joint) => joint.type === type).length, name));
  const motors = scene.joints.filter((joint) => joint.actuated).length, free = scene.joints.filter((joint) => joint.type === 'free').length;
  const list = (...words) => words.filter(Boolean).join(', ');
  return [
    list(count(elastic, 'elastic link'), count(moving.length - elastic, 'rigid link'), meshes > 0 && `${meshes} drawn by meshes`),
    list(...kinds, count(free, 'floating body', 'floating bodies')), count(motors, 'driven coordinate'),
    list(count(scene.springs.length, 'spring'), count(scene.ropes?.length, 'rope'), count(scene.bushings?.length, 'bushing'), count(scene.contacts?.length, 'contact')),
  ].filter(Boolean).join('; ');
}

/** The page of the manual: two machines beside each other. */
export function sheet(groups, parts) {
  const cell = ({ key, file, look }) => `![${file}](images/machines/${key}.webp) | **${file}** · ${look} *${parts.get(key)}*`;
  const tables = groups.map(({ title, machines }) => {
    const rows = machines.map((machine) => `| ${cell(machine)} |`);
    return `## ${title}\n\n| as the page opens it | what it is |\n|---|---|\n${rows.join('\n')}\n`;
  });
  return `# The machines

Every model of the [gallery](../examples) and every model that \`lithe new\` writes, as its [report page](report.md) opens it, beside what the model file says that it is
made of. Blue links bend; what is orange is driven, by the brown motor behind it; violet is the rigid twin. Made by the target \`machine-sheet\`.

${tables.join('\n')}`;
}
