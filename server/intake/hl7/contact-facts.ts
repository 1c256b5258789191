/** Reads where a patient lives and how to reach them: PID-11 (XAD), PID-13 and PID-14 (XTN; HL7 v2.5.1, 2.A.86 and 2.A.89). */
import type { Address, PatientFacts } from './adt-facts.ts';
import { isDeleted, textOf, type Update, valueOf } from './field-values.ts';
import type { Segment } from './message.ts';

/** Returns the home address (XAD.7 H), else the first one not marked as bad (BA). */
export function readAddress(pid: Segment): Update<Address> {
  if (isDeleted(pid, 11)) return null;
  const filled = [...pid.repetitions(11).keys()].filter((r) => [1, 3, 4, 5].some((c) => textOf(pid, 11, c, r) != null));
  const typeOf = (repetition: number) => textOf(pid, 11, 7, repetition) ?? '';
  const chosen =
    filled.find((r) => /^(H|HOME)$/i.test(typeOf(r))) ?? filled.find((r) => typeOf(r) !== 'BA') ?? filled[0];
  if (chosen === undefined) return undefined;
  const part = (component: number) => textOf(pid, 11, component, chosen) ?? null;
  if (hasNumberApart(part))
    return { line1: `${part(1)} ${part(2)}`, line2: part(3), city: part(4), state: part(5), zip: part(6) };
  return { line1: street(pid, chosen), line2: part(2), city: part(3), state: part(4), zip: part(5) };
}

const HOUSE_NUMBER = /^\d+[A-Z]?(-\d+)?$/i;

/** Whether the house number is a component of its own, so that all others are one further right and XAD.6 has the ZIP code. */
const hasNumberApart = (part: (component: number) => string | null): boolean =>
  HOUSE_NUMBER.test(part(1) ?? '') &&
  part(2) !== null &&
  !/\d/.test(part(5) ?? '') &&
  /^\d{5}(?:-?\d{4})?$/.test(part(6) ?? '');

/**
 * Returns XAD.1. Its subcomponents are the address line, the name of the street in it and the house number. Some senders write the house
 * number in place of the line (`1000&Hospital Lane`), or leave the line out. Any other `&` is text that wasn't escaped.
 */
function street(pid: Segment, repetition: number): string | null {
  const whole = textOf(pid, 11, 1, repetition);
  if (whole == null || whole.includes(' & ')) return whole ?? null;
  const part = (number: number) => valueOf(pid.subcomponent(11, 1, number, repetition)).replace(/^""$/, '');
  const [line, name, house] = [part(1), part(2), part(3)];
  const isNamed = line.toUpperCase().includes(name.toUpperCase());
  if (line !== '' && !isNamed && !HOUSE_NUMBER.test(line) && !HOUSE_NUMBER.test(house)) return whole;
  const text = isNamed ? line : `${line} ${name}`.trim();
  const isNumbered = house === '' || /^\d+[A-Z]?\b/i.test(text) || text.split(' ').includes(house);
  return (isNumbered ? text : `${house} ${text}`.trim()) || whole;
}

const NOT_VOICE = /^(FX|BP|TDD|TTY|MD|FAX)$/i;
const FOR_EMAIL = /^(INTERNET|X\.400)$/i;

/** Returns the first email address in a text. */
const emailIn = (text: string): string | undefined =>
  text.split(/[\s<>()[\],;:"]/).find((word) => {
    const [name, domain, ...more] = word.split('@');
    return name !== '' && domain !== undefined && domain !== '' && more.length === 0;
  });

/**
 * Reads phone numbers and the first email address. A number is in component 1 (older form), in 6 and 7, or in 12; an address in 4, or
 * anywhere in 1. One repetition can have both, whatever its type.
 */
export function readTelecoms(pid: Segment): Pick<PatientFacts, 'phones' | 'email'> {
  const phones: string[] = [];
  let email: Update<string>;
  for (const field of [13, 14]) {
    for (const repetition of pid.repetitions(field).keys()) {
      const part = (component: number) => textOf(pid, field, component, repetition) ?? '';
      const address = emailIn(part(4)) ?? emailIn(part(1));
      email ??= address;
      if (NOT_VOICE.test(part(3)) || (address === undefined && FOR_EMAIL.test(part(3)))) continue;
      const numbers = [withoutEmail(part(1)), part(6) + part(7), part(12)].filter(Boolean);
      const phone = address === undefined ? numbers[0] : numbers.find(isPhone);
      if (phone !== undefined && /\d/.test(phone)) phones.push(phone);
    }
  }
  const silent = phones.length === 0 && !isDeleted(pid, 13);
  return { phones: silent ? undefined : [...new Set(phones)], email };
}

/** Returns what is left of a text beside an email address, without the words before and after the numbers. */
function withoutEmail(text: string): string {
  if (!text.includes('@')) return text;
  const words = text.split(/[\s,;/]/).filter((word) => word !== '' && !word.includes('@'));
  const hasDigit = (word: string) => /\d/.test(word);
  return words.slice(words.findIndex(hasDigit), words.findLastIndex(hasDigit) + 1).join(' ');
}

/** Returns whether a text is a phone number: at least seven digits, and no letters except for an extension. */
const isPhone = (text: string): boolean =>
  text.replace(/\D/g, '').length >= 7 && !/[A-Z]/i.test(text.replace(/(?<![A-Z])(x|ext)(?![A-Z])/i, ''));
