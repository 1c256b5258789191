/** CDA data types (HL7 v3 data types R1): times, codes, quantities, names and addresses. */
import type { DocumentIdentifier, Period } from '#contract/clinical-documents.ts';
import { dateInWords } from '#contract/document-words.ts';
import { at, attribute, child, children, inOneLine, textOf } from './elements.ts';
import { missingIn } from './null-flavors.ts';
import { unitInWords } from './units.ts';
import type { Element } from './xml-tree.ts';

const TIME = /^(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:\.\d{1,9})?([+-]\d{4})?$/;

/** The time that was read last: most statements of a panel have the same. */
const last: { written: string; time: string | null } = { written: '', time: null };

/** Returns a TS as '2026-11-21T15:42-06:00', as far as it goes; null if it is none. */
export function timeOf(element: Element | undefined): string | null {
  const written = attribute(element, 'value');
  if (written === undefined) return null;
  if (written !== last.written) Object.assign(last, { written, time: timeIn(written) });
  return last.time;
}

function timeIn(written: string): string | null {
  const [, year, month, day, hour, minute, , offset] = TIME.exec(written) ?? [];
  if (year === undefined) return null;
  if (month === undefined || !isIn(month, 1, 12)) return year;
  if (day === undefined || !isIn(day, 1, 31)) return `${year}-${month}`;
  const date = `${year}-${month}-${day}`;
  if (hour === undefined || !isIn(hour, 0, 23) || !isIn(minute ?? '00', 0, 59)) return date;
  return `${date}T${hour}:${minute ?? '00'}${offset ? `${offset.slice(0, 3)}:${offset.slice(3)}` : ''}`;
}

const isIn = (digits: string, from: number, to: number): boolean => Number(digits) >= from && Number(digits) <= to;

/** Returns an effectiveTime as a period; null if it says nothing. */
export function periodOf(element: Element | undefined): Period | null {
  if (element === undefined) return null;
  const exact = timeOf(element) ?? timeOf(child(element, 'center'));
  if (exact !== null) return { from: exact, to: exact };
  const [from, to] = [timeOf(child(element, 'low')), timeOf(child(element, 'high'))];
  return from === null && to === null ? null : { from, to };
}

export interface Coded {
  /** In words; else the code. */
  text: string | null;
  code: { code: string; system: string | null } | null;
  missing: string | null;
}

/** Returns the text of the narrative that a reference (`#id`) names. */
export type Referenced = (id: string) => string | undefined;

/** Returns what a CD, CE or CV says: its display name, else the text that it refers to, else its first translation, else its code. */
export function codedOf(element: Element | undefined, referenced: Referenced = () => undefined): Coded {
  if (element === undefined) return { text: null, code: null, missing: null };
  // A code beside a nullFlavor, such as UNK, is none.
  const own = missingIn(element) === null ? attribute(element, 'code') : undefined;
  const translation =
    element.children.length === 0
      ? undefined
      : children(element, 'translation').find((each) => attribute(each, 'code') !== undefined);
  const coded = own === undefined ? translation : element;
  const code = attribute(coded, 'code');
  const original = child(element, 'originalText');
  const text =
    attribute(element, 'displayName') ??
    referencedText(original, referenced) ??
    attribute(translation, 'displayName') ??
    code ??
    null;
  return {
    text: text === null ? null : inOneLine(text),
    code:
      code === undefined
        ? null
        : { code: code.slice(0, 100), system: attribute(coded, 'codeSystem')?.slice(0, 100) ?? null },
    missing: text === null ? missingIn(element) : null,
  };
}

/** Returns the words of a coded element; null if it has only its code, which is worth less than other words about the same. */
export const wordsOf = ({ text, code }: Coded): string | null => (text === code?.code ? null : text);

/** Returns what a substance is: by its code, else by its name, which HITSP C32 requires, else by the text that stands for a code. */
export function substanceOf(entity: Element | undefined, referenced: Referenced): Coded {
  const coded = codedOf(child(entity, 'code'), referenced);
  const [words, name] = [wordsOf(coded), nameOf(entity)];
  return { ...coded, text: (coded.code === null ? (name ?? words) : (words ?? name)) ?? coded.text };
}

/** Returns the text of an element, or that which it refers to. */
export function referencedText(element: Element | undefined, referenced: Referenced): string | undefined {
  if (element === undefined) return undefined;
  const to = attribute(child(element, 'reference'), 'value');
  return textOf(element) ?? (to?.startsWith('#') ? referenced(to.slice(1)) : undefined);
}

/** Returns a quantity with its unit ('7.2 g/dL'); null if it has no value. UCUM's 1 is no unit: one that UCUM doesn't have is a translation's. */
export function quantityOf(element: Element | undefined): string | null {
  const unit = attribute(element, 'unit') ?? '1';
  const translation = unit === '1' ? child(element, 'translation') : undefined;
  const value = attribute(element, 'value') ?? attribute(translation, 'value');
  if (value === undefined) return null;
  const words = unit === '1' ? (codedOf(translation).text ?? attribute(translation, 'unit')) : unitInWords(unit);
  return inOneLine(words ? `${value} ${words}` : value);
}

/** Returns the value of an observation in words, whatever its type; null if there is none. */
export function valueOf(element: Element | undefined, referenced: Referenced): string | null {
  if (element === undefined) return null;
  const [low, high] = [child(element, 'low'), child(element, 'high')];
  if (low || high) return rangeOf(element);
  if (attribute(element, 'unit') !== undefined || isQuantity(element)) return quantityOf(element);
  const [numerator, denominator] = [quantityOf(child(element, 'numerator')), quantityOf(child(element, 'denominator'))];
  if (numerator !== null) return denominator === null ? numerator : `${numerator} / ${denominator}`;
  return (
    codedOf(element, referenced).text ??
    typedValue(element) ??
    attribute(element, 'value') ??
    referencedText(element, referenced) ??
    null
  );
}

const isQuantity = (element: Element): boolean => attribute(element, 'xsi:type') === 'PQ';

/** A time or a yes or no, which are not written for readers. */
function typedValue(element: Element): string | null {
  const value = attribute(element, 'value');
  const type = attribute(element, 'xsi:type');
  if (type === 'TS') {
    const time = timeOf(element);
    return time && dateInWords(time);
  }
  if (type === 'BL' && value !== undefined) return value === 'true' ? 'Yes' : 'No';
  return null;
}

/** Returns 'from – to', '≥ from' or '≤ to' of an interval of quantities. */
export function rangeOf(element: Element | undefined): string | null {
  const [from, to] = [child(element, 'low'), child(element, 'high')];
  const [low, high] = [quantityOf(from), quantityOf(to)];
  if (low !== null && high !== null)
    return `${attribute(from, 'unit') === attribute(to, 'unit') ? attribute(from, 'value') : low} – ${high}`;
  if (low !== null) return `${isExclusive(from) ? '>' : '≥'} ${low}`;
  return high === null ? null : `${isExclusive(to) ? '<' : '≤'} ${high}`;
}

const isExclusive = (bound: Element | undefined): boolean => attribute(bound, 'inclusive')?.toLowerCase() === 'false';

/** Returns the ids of an element, without those that are missing. */
export function identifiersOf(element: Element | undefined): DocumentIdentifier[] {
  return children(element, 'id').flatMap((each) => {
    const root = attribute(each, 'root');
    return root === undefined
      ? []
      : [{ root: root.slice(0, 200), value: attribute(each, 'extension')?.slice(0, 200) ?? null }];
  });
}

/** Returns a person's name in one line; an organization's too. */
export function nameOf(element: Element | undefined): string | null {
  const name = child(element, 'name');
  const part = (kind: string) => children(name, kind).flatMap((each) => textOf(each) ?? []);
  const parts = [...part('prefix'), ...part('given'), ...part('family'), ...part('suffix')];
  return parts.length > 0 ? inOneLine(parts.join(' ')) : (textOf(name) ?? null);
}

/** Returns a person's or device's name, with the organization. */
export function participantOf(assigned: Element | undefined, organization: string) {
  const device = child(assigned, 'assignedAuthoringDevice');
  const name = nameOf(child(assigned, 'assignedPerson')) ?? textOf(child(device, 'softwareName')) ?? null;
  return { name, organization: nameOf(at(assigned, organization)) };
}
