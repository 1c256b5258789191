/** What a result means: the code of its interpretation in words, and the range that it is compared with. */
import { at, attribute, child } from './elements.ts';
import { codedOf, quantityOf, type Referenced, rangeOf, referencedText } from './values.ts';
import type { Element } from './xml-tree.ts';

const INTERPRETATIONS: Readonly<Record<string, string>> = {
  N: 'Normal',
  A: 'Abnormal',
  AA: 'Critically abnormal',
  H: 'High',
  HH: 'Critically high',
  L: 'Low',
  LL: 'Critically low',
  R: 'Resistant',
  S: 'Susceptible',
  I: 'Intermediate',
};

/** Returns the interpretation in words; some senders write its code as a text. */
export function interpretationOf(element: Element | undefined, referenced: Referenced): string | null {
  const { text } = codedOf(element, referenced);
  const inWords = [attribute(element, 'code'), text].flatMap(
    (each) => INTERPRETATIONS[each?.toUpperCase() ?? ''] ?? [],
  );
  return inWords[0] ?? text;
}

/** Returns the range in which a result would be normal; null if there is none. */
export function referenceRangeOf(element: Element, referenced: Referenced): string | null {
  const range = at(element, 'referenceRange', 'observationRange');
  const value = child(range, 'value');
  return rangeOf(value) ?? quantityOf(value) ?? referencedText(child(range, 'text'), referenced) ?? null;
}
