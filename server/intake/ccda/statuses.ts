/** Statuses in words, and what a negated statement says. */
import { attribute, child } from './elements.ts';
import type { Element } from './xml-tree.ts';

export const STATUS_CODES: Readonly<Record<string, string>> = {
  active: 'Active',
  completed: 'Completed',
  aborted: 'Stopped',
  cancelled: 'Canceled',
  held: 'On hold',
  new: 'New',
  suspended: 'Suspended',
  normal: 'Active',
  nullified: 'Withdrawn',
  obsolete: 'Replaced',
};

/** Statuses of problems, allergies and medications (SNOMED CT), for senders that write only the code. */
const OBSERVED: Readonly<Record<string, string>> = {
  '55561003': 'Active',
  '73425007': 'Inactive',
  '413322009': 'Resolved',
  '421139008': 'On hold',
  '392521001': 'Prior history',
};

/** Returns an observed status in words. */
export const observedInWords = (status: string | null): string | null => OBSERVED[status ?? ''] ?? status;

/** Moods in which a statement is a plan, not a fact. */
const MOODS: Readonly<Record<string, string>> = {
  INT: 'Intended',
  RQO: 'Ordered',
  PRMS: 'Promised',
  PRP: 'Proposed',
  ARQ: 'Requested',
  APT: 'Scheduled',
  GOL: 'Goal',
};

/** Returns the mood of a plan, else the status; null if there is neither. */
export function statusOf(element: Element): string | null {
  const mood = MOODS[attribute(element, 'moodCode')?.toUpperCase() ?? ''];
  const status = attribute(child(element, 'statusCode'), 'code')?.toLowerCase() ?? '';
  const words = STATUS_CODES[status] ?? null;
  if (mood === undefined) return words;
  return words === null || status === 'active' || status === 'new' ? mood : `${mood}, ${words.toLowerCase()}`;
}

type Negatable = 'allergy' | 'problem' | 'medication' | 'immunization' | 'finding' | 'act';
const NEGATED: Readonly<Record<Negatable, [none: string, named: string]>> = {
  allergy: ['No known allergies', 'No known allergy'],
  problem: ['No known problems', 'Not present'],
  medication: ['No known medications', 'Not taken'],
  immunization: ['No immunizations', 'Not given'],
  finding: ['Not the case', 'Not the case'],
  act: ['Not done', 'Not done'],
};
/** Codes (SNOMED CT) of any allergy, drug allergy, food allergy, problem: negated, they say that there is none. */
const ANY: Readonly<Record<string, string>> = {
  '419199007': 'No known allergies',
  '420134006': 'No known allergies',
  '416098002': 'No known drug allergies',
  '419511003': 'No known drug allergies',
  '414285001': 'No known food allergies',
  '418471000': 'No known food allergies',
  '55607006': 'No known problems',
  '410942007': 'No known medications',
};

/** Returns a negated statement in words: 'No known allergies', 'Not given: influenza vaccine'. */
export function negatedName(kind: keyof typeof NEGATED, name: string | null, code: string | undefined): string {
  const [none, named] = NEGATED[kind];
  const general = ANY[code ?? ''];
  if (general && (kind !== 'allergy' || name === null || isGeneral(name))) return general;
  if (name === null) return none;
  return isDenial(name) ? name : `${named}: ${name}`;
}

/** Whether words say themselves that there is none, such as those of the narrative: what is negated once is not negated twice. */
const isDenial = (name: string): boolean => /^(no|none|not|denies)\b/i.test(name);

const isGeneral = (name: string): boolean => /^(allerg|propensity|drug|food|substance|environmental)/i.test(name);
