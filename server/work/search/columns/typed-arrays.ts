export type TypedArray = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

/** A column of codes: 16 bits wide until the dictionary needs more. */
export type Codes = Uint16Array | Uint32Array;

/** Returns the array if it has `length` elements, else a copy with spare room, so that growing is amortized. */
export function roomFor<T extends TypedArray>(array: T, length: number): T {
  if (length <= array.length) return array;
  return resized(array, Math.max(length, array.length + (array.length >> 2) + 16));
}

/** Returns a copy with `length` elements, padded with zeros. */
export function resized<T extends TypedArray>(array: T, length: number): T {
  const Kind = array.constructor as new (length: number) => T;
  const longer = new Kind(length);
  longer.set(array.length > length ? array.subarray(0, length) : array);
  return longer;
}

export function widened(codes: Codes): Uint32Array {
  return codes instanceof Uint32Array ? codes : Uint32Array.from(codes);
}

export const bytesOf = (arrays: readonly (TypedArray | undefined)[]): number =>
  arrays.reduce((sum, array) => sum + (array?.byteLength ?? 0), 0);
