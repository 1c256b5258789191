/** What a medication or vaccine is, how much of it, and how often. */
import { at, attribute, child, children } from './elements.ts';
import {
  type Coded,
  codedOf,
  nameOf,
  quantityOf,
  type Referenced,
  rangeOf,
  referencedText,
  valueOf,
  wordsOf,
} from './values.ts';
import type { Element } from './xml-tree.ts';

/** Returns the product of a substance administration or supply. */
export function productOf(element: Element, referenced: Referenced): Coded & { material: Element | undefined } {
  const product =
    at(element, 'consumable', 'manufacturedProduct') ??
    at(element, 'product', 'manufacturedProduct') ??
    at(element, 'participant', 'participantRole');
  const material =
    child(product, 'manufacturedMaterial') ??
    child(product, 'manufacturedLabeledDrug') ??
    child(product, 'playingDevice');
  const coded = codedOf(child(material, 'code'), referenced);
  return { ...coded, text: wordsOf(coded) ?? nameOf(material) ?? coded.text, material };
}

/** Returns the dose with its unit, or with what is counted, such as puffs (administrationUnitCode). */
export function doseOf(element: Element, referenced: Referenced): string | null {
  const dose = child(element, 'doseQuantity');
  const amount = quantityOf(dose) ?? rangeOf(dose);
  const counted = codedOf(child(element, 'administrationUnitCode'), referenced).text;
  return amount === null || counted === null || hasUnit(dose) ? amount : `${amount} ${counted}`;
}

const hasUnit = (dose: Element | undefined): boolean =>
  [dose, child(dose, 'low'), child(dose, 'high')].some((each) => (attribute(each, 'unit') ?? '1') !== '1');

/** Returns 'as needed for Wheezing' for a medication with a precondition (C-CDA R2.1, 3.83); null for one without. */
export function asNeededOf(element: Element, referenced: Referenced): string | null {
  const conditions = children(element, 'precondition').map((each) => child(each, 'criterion'));
  if (conditions.length === 0) return null;
  const named = conditions.flatMap(
    (each) => valueOf(child(each, 'value'), referenced) ?? referencedText(child(each, 'text'), referenced) ?? [],
  );
  return named.length === 0 ? 'as needed' : `as needed for ${named.join(', ')}`;
}

/** Medication Activity of C-CDA. */
const ACTIVITY = '2.16.840.1.113883.10.20.22.4.16';

/**
 * Returns the status of a medication, given the one in words. By C-CDA R1.1, EHRs write all acts as 'completed', also those of medications that are
 * taken; since R2, whose templates have a version, that says that one no longer is. In a list, what is intended and active is no order or plan.
 */
export function statusOfMedication(element: Element, status: string | null, isListed: boolean): string | null {
  if (status === 'Intended' && isListed && attribute(child(element, 'statusCode'), 'code')?.toLowerCase() === 'active')
    return 'Active';
  if (status !== 'Completed' && status !== 'Intended, completed') return status;
  const templates = children(element, 'templateId').filter((each) => attribute(each, 'root') === ACTIVITY);
  return templates.length > 0 && templates.every((each) => attribute(each, 'extension') === undefined) ? null : status;
}

const UNITS: Readonly<Record<string, string>> = {
  h: 'hours',
  d: 'days',
  min: 'minutes',
  wk: 'weeks',
  mo: 'months',
  a: 'years',
};

/** Events of the day (HL7 v3 TimingEvent) as patients are told them. */
const EVENTS: Readonly<Record<string, string>> = {
  AC: 'before meals',
  ACM: 'before breakfast',
  ACD: 'before lunch',
  ACV: 'before dinner',
  C: 'with meals',
  CM: 'with breakfast',
  CD: 'with lunch',
  CV: 'with dinner',
  PC: 'after meals',
  PCM: 'after breakfast',
  PCD: 'after lunch',
  PCV: 'after dinner',
  HS: 'at bedtime',
  WAKE: 'on waking',
};

/** Returns how often: 'every 8 hours' from a period (PIVL_TS), 'at bedtime' from an event (EIVL_TS), or all of them; null if the document doesn't say. */
export function frequencyOf(element: Element): string | null {
  const times = children(element, 'effectiveTime').flatMap(
    (each) => EVENTS[attribute(child(each, 'event'), 'code') ?? ''] ?? everyIn(child(each, 'period')) ?? [],
  );
  return [...new Set(times)].join(', ') || null;
}

function everyIn(period: Element | undefined): string | null {
  const [low, high] = [child(period, 'low'), child(period, 'high')];
  const [from, to] = [attribute(low, 'value'), attribute(high, 'value')];
  const value = attribute(period, 'value') ?? (from && to && from !== to ? `${from} – ${to}` : (from ?? to));
  if (value === undefined) return null;
  const unit = [period, low, high].map((each) => attribute(each, 'unit')).find((each) => each !== undefined) ?? '';
  const words = UNITS[unit] ?? unit;
  return value === '1' ? `every ${words.replace(/s$/, '')}` : `every ${value} ${words}`.trimEnd();
}
