/**
 * Finds text that was decoded in another encoding than it was written in. A roster's bytes don't name their encoding, and each byte is some
 * character in Windows-1252, so a file from DOS (code pages 437 and 850) or an old Mac (Mac OS Roman) is read without an error and with
 * wrong letters. Rules, not statistics: each names characters that no person's name has in that place. What the rules can't see is said for
 * the file (docs/decisions/0122).
 */

/** Where the decoder or a program before us gave up: U+FFFD, C1 control characters, and characters that no standard assigns. */
const LOST = /[\ufffd\u0080-\u009f\p{Co}\p{Cn}]/u;

/**
 * UTF-8 that was taken for Windows-1252 and encoded again: "RenÃ©e", "Oâ€™Shea", "Nguyá»…n", and U+FFFD and the byte order mark. The first byte of a letter is
 * followed by one of the bytes 0x80 to 0xBF.
 */
const ENCODED_TWICE = /(?:[ÂÃÄÅ]|á[»º])[€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ\u00a0-\u00bf]|â€|ï¿½|ï»¿/;

/**
 * Not beside a letter in a name: accented letters of DOS and the Mac as Windows-1252 ("Nu¤ez", "Hern‡ndez"), and all letters of UTF-8 as
 * those two ("Ren√©e"). Opening quotation marks only after a letter, since a nickname may be quoted; ª and º abbreviate (Mª), · is Catalan.
 */
const SIGNS_IN_NAME = [
  /\p{L}(?:(?![\p{ASCII}´])\p{S}|[¡¦§¶¿…†‡‰•ƒµˆ²³¹¼½¾])/u,
  /(?:(?![\p{ASCII}´])\p{S}|[¡¦§¶¿…†‡‰•ƒµˆ²³¹¼½¾])\p{L}/u,
  /\p{L}[‚„‹]|›\p{L}|\p{L}[“”]\p{L}/u,
];

/** A letter that a program could not keep: "Nu?ez". */
const QUESTION = /\p{L}\?\p{L}/u;

/** Dashes for ñ and ó of the Mac ("Nu–ez", "L—pez"). Between two names, a capital follows. */
const DASH_IN_WORD = /\p{L}[–—]\p{Ll}/u;
const CAPITAL = /\p{Lu}/u;

/** Capitals of the bytes 0x80 to 0x9F inside a word, for é and ü of the Mac or è of DOS: "PŽrez", "RenŽe", "MŸller". DŽ is one letter. */
const CAPITAL_IN_WORD = /\p{Ll}[ŠŒŽŸ]|(?!D)\p{L}[ŠŒŽŸ]\p{Ll}/u;

/** Whether a decoded cell has letters that are probably wrong. `isName`: it is the name of a person or a city. */
export function isGarbled(text: string, isName: boolean): boolean {
  if (LOST.test(text) || ENCODED_TWICE.test(text)) return true;
  if (!isName) return false;
  const isDashed = DASH_IN_WORD.test(text) && CAPITAL.test(text);
  return (
    isDashed || SIGNS_IN_NAME.some((signs) => signs.test(text)) || QUESTION.test(text) || CAPITAL_IN_WORD.test(text)
  );
}
