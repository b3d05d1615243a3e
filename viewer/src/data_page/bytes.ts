// Packed numbers of the data block other than 32-bit floats.

export function bytesOf(text: string): Uint8Array {
  const binary = atob(text), bytes = new Uint8Array(binary.length);
  for (let k = 0; k < binary.length; ++k) bytes[k] = binary.charCodeAt(k);
  return bytes;
}

/** 64-bit floats, little-endian, base64. */
export function doublesOf(text: string): Float64Array { return new Float64Array(bytesOf(text).buffer); }

/** The data block of the page; throws when it is not of this kind. */
export function readData<T extends { format: number; kind: string }>(kind: T['kind']): T {
  const data = JSON.parse(document.getElementById('report-data')?.textContent ?? '') as T;
  if (data.format !== 1 || data.kind !== kind) throw new Error(`the data of this page is of kind '${data.kind}', format ${data.format}; the page reads '${kind}', format 1`);
  return data;
}
