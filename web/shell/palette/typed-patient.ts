import { readTypedDate } from '../../filters/typed-date.ts';

/** What a typed text asks for about a person. */
export interface TypedPatient {
  /** Beginnings of names, or of an identifier. */
  query: string;
  /** YYYY-MM-DD */
  dateOfBirth: string | null;
}

/** A person is looked for from two letters or digits on: one would match a tenth of everyone. */
const LEAST = 2;

/** Returns the name or identifier and the birth date in a text such as "lindq 11/2/1956"; null if there is too little to look for anyone. */
export const typedPatient = (text: string, today: Date): TypedPatient | null => {
  const words = text.trim().split(/\s+/);
  const dates = words.map((word) => readTypedDate(word, today));
  const dateOfBirth = dates.find((date) => date !== null) ?? null;
  const query = words.filter((_, at) => dates[at] === null).join(' ');
  const isEnough = query.replace(/[^\p{L}\p{N}]/gu, '').length >= LEAST;
  return isEnough || dateOfBirth ? { query: isEnough ? query : '', dateOfBirth } : null;
};
