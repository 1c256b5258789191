/** The parts of a person's name as the contract has them. */
export interface NameParts {
  firstName: string;
  middleName?: string | null;
  lastName: string;
  nameSuffix?: string | null;
}

/** FAMILY, Given Middle Suffix (NHS patient banner guidance PAB-0016): how a patient is named wherever a list shows one. */
export const familyFirst = ({ firstName, middleName, lastName, nameSuffix }: NameParts): string =>
  [`${lastName.toLocaleUpperCase('en-US')},`, firstName, middleName, nameSuffix].filter(Boolean).join(' ');

/** Family name first, in its own case: speech spells capitals out. */
export const spokenName = ({ firstName, middleName, lastName, nameSuffix }: NameParts): string =>
  [`${lastName},`, firstName, middleName, nameSuffix].filter(Boolean).join(' ');

/** Digits in threes, as identifiers are read aloud: '004418273' → '004 418 273'. Anything but plain digits stays. */
export const groupedId = (identifier: string): string =>
  /^\d{7,}$/.test(identifier) ? identifier.replace(/\d{3}(?=\d)/g, '$& ') : identifier;
