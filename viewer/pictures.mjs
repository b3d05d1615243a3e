// Pictures for the manual, small ones: WebP, still and moving. Chromium compresses them; an animation is their concatenation.
import { settle } from './test/browser.mjs';

/** What an element shows now, as WebP. */
export async function webpOf(page, selector, quality) {
  await settle(page);
  const png = (await page.locator(selector).screenshot()).toString('base64');
  return Buffer.from(await page.evaluate(async ([data, share]) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
    canvas.getContext('2d').drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', share).split(',')[1];
  }, [png, quality]), 'base64');
}

function chunk(name, ...parts) {
  const body = Buffer.concat(parts), head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}

function number(value, bytes) {
  const out = Buffer.alloc(bytes);
  out.writeUIntLE(value, 0, bytes);
  return out;
}

/** The chunks of a still picture that hold its pixels. */
function pixels(webp) {
  const kept = [];
  for (let at = 12; at + 8 <= webp.length;) {
    const name = webp.toString('latin1', at, at + 4), end = at + 8 + webp.readUInt32LE(at + 4), next = end + (end % 2);
    if (['VP8 ', 'VP8L', 'ALPH'].includes(name)) kept.push(webp.subarray(at, next));
    at = next;
  }
  return Buffer.concat(kept);
}

/** Width and height from the head of a compressed frame. */
function sizeOf(still) {
  const at = still.indexOf('VP8 ', 12, 'latin1') + 8; // a tag of three bytes and a mark of three, then 14 bits each
  if (at < 20) throw new Error('no WebP with losses');
  return [still.readUInt16LE(at + 6) & 0x3fff, still.readUInt16LE(at + 8) & 0x3fff];
}

/** Stills of one size one after the other, for ever; `milliseconds` each. */
export function animated(stills, milliseconds) {
  const [width, height] = sizeOf(stills[0]);
  if (stills.some((still) => String(sizeOf(still)) !== String([width, height]))) throw new Error('the stills have different sizes');
  const size = Buffer.concat([number(width - 1, 3), number(height - 1, 3)]), moves = 0x02, replaces = 0x02;
  const frames = stills.map((still) => chunk('ANMF', number(0, 6), size, number(milliseconds, 3), number(replaces, 1), pixels(still)));
  const body = Buffer.concat([Buffer.from('WEBP'), chunk('VP8X', number(moves, 4), size), chunk('ANIM', number(0xffffffff, 4), number(0, 2)), ...frames]);
  return Buffer.concat([Buffer.from('RIFF'), number(body.length, 4), body]);
}
