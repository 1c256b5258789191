/** The parts of a person's name as the contract has them. */
interface NameParts {
  firstName: string;
  middleName?: string | null;
  lastName: string;
  nameSuffix?: string | null;
}

/** Returns "FAMILY, Given Middle Suffix", the form of names in every list (NHS patient banner guidance, PAB-0016). */
export const familyFirst = ({ firstName, middleName, lastName, nameSuffix }: NameParts): string =>
  [`${lastName.toLocaleUpperCase('en-US')},`, firstName, middleName, nameSuffix].filter(Boolean).join(' ');

/** Returns the family name first, not in capitals, which screen readers would spell out. */
export const spokenName = ({ firstName, middleName, lastName, nameSuffix }: NameParts): string =>
  [`${lastName},`, firstName, middleName, nameSuffix].filter(Boolean).join(' ');

/** Groups plain digits in threes, as identifiers are read aloud: '004418273' → '004 418 273'. Other identifiers stay as they are. */
export const groupedId = (identifier: string): string =>
  /^\d{7,}$/.test(identifier) ? identifier.replace(/\d{3}(?=\d)/g, '$& ') : identifier;
