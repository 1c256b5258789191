/** Made once: `toLocaleString` would make one for each number. */
const numbers = new Intl.NumberFormat('en-US');

/** Returns a number with its noun: "1 patient", "1,204 patients". `many`: the plural of a noun that has more than an s. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${numbers.format(count)} ${count === 1 ? one : many}`;
