/** Why a value is missing (HL7 v3 NullFlavor), in words. */
import { attribute } from './elements.ts';
import type { Element } from './xml-tree.ts';

const WORDS: Readonly<Record<string, string>> = {
  NI: 'No information',
  UNK: 'Unknown',
  ASKU: 'Asked, but not known',
  NAV: 'Not available yet',
  NASK: 'Not asked',
  NA: 'Not applicable',
  MSK: 'Withheld by the sender',
  OTH: 'Not in the code list',
  NINF: 'No lower limit',
  PINF: 'No upper limit',
  UNC: 'Not coded',
  DER: 'To be derived',
  INV: 'Not valid',
  QS: 'Sufficient quantity',
  TRC: 'Trace',
  NP: 'Not present',
};

/** Returns why the element has no value, in words; null if it is not said to be missing. */
export function missingIn(element: Element | undefined): string | null {
  const flavor = attribute(element, 'nullFlavor');
  return flavor === undefined ? null : (WORDS[flavor.toUpperCase()] ?? 'No information');
}
