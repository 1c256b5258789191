/**
 * Which ADT trigger events this version acts on (HL7 v2.5.1, 3.3), and why it leaves the others.
 */

/** What of MRG a trigger cannot do without: the record, account or visit number that gives way. */
export type MergeNeed = 'MRG-1' | 'MRG-3' | 'MRG-5' | null;

const VISIT_AND_PERSON =
  'A01 A02 A03 A04 A05 A06 A07 A08 A11 A12 A13 A14 A15 A16 A21 A22 A23 A25 A26 A27 A28 A29 A31 A38 A51 A52 A53 A54 A55';

const ACTED_ON: ReadonlyMap<string, MergeNeed> = new Map<string, MergeNeed>([
  ...VISIT_AND_PERSON.split(' ').map((trigger): [string, MergeNeed] => [trigger, null]),
  ...['A18', 'A30', 'A34', 'A36', 'A39', 'A40', 'A43', 'A47'].map((trigger): [string, MergeNeed] => [trigger, 'MRG-1']),
  ...['A35', 'A41', 'A44'].map((trigger): [string, MergeNeed] => [trigger, 'MRG-3']),
  ...['A42', 'A45', 'A50'].map((trigger): [string, MergeNeed] => [trigger, 'MRG-5']),
]);

const LEFT: Readonly<Record<string, string>> = {
  A09: 'tracks a patient on the way between places, which is not kept',
  A10: 'tracks a patient on the way between places, which is not kept',
  A17: 'swaps the beds of two patients, and beds are not followed',
  A19: 'is a query',
  A20: 'is about a bed, not a patient',
  A24: 'links two patients without saying that they are one',
  A32: 'takes back the tracking of a patient on the way, which is not kept',
  A33: 'takes back the tracking of a patient on the way, which is not kept',
  A37: 'unlinks two patients, and such links are not kept',
  A46: 'changes an enterprise identifier, which does not identify the patient here',
  A48: 'changes an alternate identifier, which does not identify the patient here',
  A49: 'changes an account number without saying for which visit',
  A60: 'is about allergies',
  A61: 'changes a consulting doctor, and those are not followed',
  A62: 'takes back the change of a consulting doctor, and those are not followed',
};

/** What a trigger needs of MRG (null: nothing), or undefined where it is not acted on. */
export function mergeNeedOf(trigger: string): MergeNeed | undefined {
  return ACTED_ON.get(trigger);
}

/** In plain words, why a trigger is not acted on. */
export function reasonNotActedOn(trigger: string): string {
  return `MSH-9 is ADT^${trigger}: it ${LEFT[trigger] ?? 'is a trigger that this version does not read'}`;
}
