/** An invented person, with the details that both a roster and a hospital have. */
export interface Person {
  memberId: string;
  recordNumber: string;
  given: string;
  family: string;
  /** YYYY-MM-DD */
  birthDate: string;
  sex: 'Female' | 'Male';
  street: string;
  zip: string;
  phone: string;
}

const BEGINNINGS = ['Hal', 'Wren', 'Mor', 'Ash', 'Tor', 'Bel', 'Quin', 'Sel', 'Dor', 'Fen', 'Lind', 'Rook', 'Ving'];
const ENDINGS = ['wick', 'ford', 'bury', 'stead', 'mere', 'low', 'gate', 'ridge', 'ham', 'brook', 'quist'];
const GIVEN = ['Adaeze', 'Per', 'Maribel', 'Tomas', 'Ingrid', 'Kwame', 'Lucia'];

const whole = Math.floor;
const two = (number: number): string => String(number).padStart(2, '0');
const at = <T>(list: readonly T[], number: number): T => list[number % list.length] as T;

/** Returns the person with that number. Any two numbers below ten thousand give people that matching keeps apart. */
export function personOf(number: number): Person {
  const sex = number % 7 === 1 || number % 7 === 3 || number % 7 === 5 ? 'Male' : 'Female';
  return {
    memberId: `MB${100_000 + number}`,
    recordNumber: `R${500_000 + number}`,
    given: at(GIVEN, number),
    family: `${at(BEGINNINGS, number)}${at(ENDINGS, number)}`,
    birthDate: `${1930 + ((number * 17) % 60)}-${two(1 + ((number * 5 + whole(number / 60)) % 12))}-${two(2 + ((number * 11 + whole(number / 84)) % 27))}`,
    sex,
    street: `${10 + number} ${at(ENDINGS, whole(number / 3))}${at(GIVEN, whole(number / 11))} Lane`,
    zip: `14${two(number % 100)}1`,
    phone: `585-555-${String(number % 10_000).padStart(4, '0')}`,
  };
}

/** Returns a person's name as rows show it: FAMILY, Given. */
export const listedName = ({ family, given }: Person): string => `${family.toUpperCase()}, ${given}`;

/** Returns a roster file of these people, with the columns of the template. */
export function rosterOf(people: readonly Person[]): string {
  const header = 'Member ID,First Name,Last Name,Date of Birth,Gender,Address 1,City,State,ZIP,Home Phone,Program';
  const rows = people.map((person) => {
    const [year, month, day] = person.birthDate.split('-');
    const born = `${month}/${day}/${year}`;
    const { memberId, given, family, sex, street, zip, phone } = person;
    return [memberId, given, family, born, sex, street, 'Alder Bay', 'NY', zip, phone, 'ACO REACH'].join(',');
  });
  return `${[header, ...rows].join('\r\n')}\r\n`;
}
