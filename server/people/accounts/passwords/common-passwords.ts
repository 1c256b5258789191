/**
 * The passwords that attackers try first: those most frequent in published breaches (the list of @zxcvbn-ts/language-common, some 18,000 that
 * are long enough), and well-known words with the usual endings, keyboard walks, and runs of characters. All are in lower case;
 * `isCommonPassword` folds case and the usual substitutions first.
 */
import breached from '@zxcvbn-ts/language-common/src/passwords.json' with { type: 'json' };
import { PASSWORD_MIN_LENGTH } from '#contract/constants.ts';

const WORDS =
  `password passwort passw0rd pass admin administrator root user guest login welcome letmein changeme change default secret
master test testing temp temporary hello access internet computer server system network office windows google apple
samsung facebook linkedin youtube microsoft iloveyou loveyou lovely love sunshine princess monkey dragon shadow flower
butterfly chocolate cookie cheese banana orange purple yellow silver golden diamond phoenix thunder tigger pepper
ginger buster charlie freedom whatever trustno superman batman spiderman starwars pokemon nintendo minecraft football
baseball basketball soccer hockey softball tennis golf arsenal liverpool chelsea barcelona yankees cowboys steelers
eagles lakers ferrari porsche mustang corvette harley mercedes toyota honda michael michelle jessica jennifer jordan
ashley amanda andrew anthony daniel david george hannah jasmine joshua matthew nicole robert samantha thomas william
christopher elizabeth alexander benjamin nicholas jonathan patrick victoria charlotte
spring summer autumn winter january february march april june july august september october november december monday
tuesday wednesday thursday friday saturday sunday
hospital nurse nursing doctor medical medicine health healthcare clinic patient patients care tidings epic cerner
america american california florida newyork chicago texas london`.split(/\s+/);

const YEARS = Array.from({ length: 12 }, (_, index) => String(2015 + index + 1));
const ENDINGS = [
  '',
  '1',
  '12',
  '123',
  '1234',
  '12345',
  '123456',
  '!',
  '1!',
  '12!',
  '123!',
  '1234!',
  '@1',
  '@123',
  '#1',
  '01',
  '007',
  '00',
  '69',
  '99',
  ...YEARS,
  ...YEARS.map((year) => `${year}!`),
];

const WALKS =
  `qwertyuiop qwertyui qwerty123 qwerty12 qwerty1234 qwerty12345 qwertyqwerty qwerty123! asdfghjkl asdfghjk asdf1234
asdfasdf zxcvbnm1 zxcvbnm123 zxcvbnm, zxcvzxcv qazwsxedc qazwsx123 1qaz2wsx 1qaz2wsx3edc 1q2w3e4r 1q2w3e4r5t q1w2e3r4 q1w2e3r4t5
1qazxsw2 zaq12wsx zaq1zaq1 !qaz2wsx azertyuiop azerty123 qwertzuiop a1b2c3d4 abcd1234 abc12345 abc123456 aa123456 a1234567
a12345678 a123456789 1234qwer 123qweasd 123456abc 12345qwert 123456789a qweasdzxc qweasd123 12qwaszx 147258369 159753456 741852963
987654321 11223344 1122334455 112233445566 12341234 123123123 12344321 123454321 123321123 123654789 10203040 102030405060
13131313 12121212 69696969 99887766 iloveyou2 trustno1 letmein1 welcome1 passpass adminadmin testtest useruser rootroot
password! p@ssw0rd p@ssword pa55word p4ssw0rd correcthorsebatterystaple correct-horse-battery-staple thisismypassword mypassword
mypassword1 yourpassword newpassword newpassword1 oldpassword nopassword passwordpassword letmeinplease iloveyou! ilovegod
jesuschrist jesus123 blessed1 godisgood startrek blink182 slipknot1 metallica ncc1701d thx1138thx`.split(/\s+/);

const COMMON: ReadonlySet<string> = new Set(
  [...breached, ...WORDS.flatMap((word) => ENDINGS.map((ending) => word + ending)), ...WALKS].filter(
    ({ length }) => length >= PASSWORD_MIN_LENGTH,
  ),
);

const SUBSTITUTES: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
};

/** Undoes the usual substitutions, except in the ending: p@ssw0rd2024 → password2024. */
function unmask(text: string): string {
  const stem = text.slice(0, text.split('').findLastIndex((character) => !/[\d!@#$]/.test(character)) + 1);
  return stem.replace(/[@431!0$57]/g, (character) => SUBSTITUTES[character] ?? character) + text.slice(stem.length);
}

/** Returns whether the text is its beginning, repeated, with at most two more characters. */
function isRepetition(text: string, size: number): boolean {
  const unit = text.slice(0, size);
  let end = size;
  while (unit.length === size && text.startsWith(unit, end)) end += size;
  return end > size && text.length - end <= 2;
}

/** Returns whether the text repeats up to three characters, or is a run such as 12345678 or hgfedcba. */
function isRun(text: string): boolean {
  if ([1, 2, 3].some((size) => isRepetition(text, size))) return true;
  const steps = [...text].slice(1).map((character, index) => character.charCodeAt(0) - text.charCodeAt(index));
  return [1, -1].some((step) =>
    steps.every((each, index) => each === step || (each === -9 * step && text[index] === (step > 0 ? '9' : '0'))),
  );
}

/** Returns whether a password is one that attackers try first. */
export function isCommonPassword(password: string): boolean {
  const folded = password.normalize('NFKC').toLowerCase();
  return COMMON.has(folded) || COMMON.has(unmask(folded)) || isRun(folded);
}
