/** Which ADT trigger events are acted on (HL7 v2.5.1, 3.3), and why the others aren't. */

/** The MRG field that a trigger requires: the record, account or visit number to merge. */
export type MergeNeed = 'MRG-1' | 'MRG-3' | 'MRG-5' | null;

const VISIT_AND_PERSON =
  'A01 A02 A03 A04 A05 A06 A07 A08 A11 A12 A13 A14 A15 A16 A21 A22 A23 A25 A26 A27 A28 A29 A31 A38 A51 A52 A53 A54 A55';

const ACTED_ON: ReadonlyMap<string, MergeNeed> = new Map<string, MergeNeed>([
  ...VISIT_AND_PERSON.split(' ').map((trigger): [string, MergeNeed] => [trigger, null]),
  ...['A18', 'A30', 'A34', 'A36', 'A39', 'A40', 'A43', 'A47'].map((trigger): [string, MergeNeed] => [trigger, 'MRG-1']),
  ...['A35', 'A41', 'A44', 'A49'].map((trigger): [string, MergeNeed] => [trigger, 'MRG-3']),
  ...['A42', 'A45', 'A50'].map((trigger): [string, MergeNeed] => [trigger, 'MRG-5']),
]);

/** Each completes "MSH-9 is ADT^A09, which …". */
const NOT_ACTED_ON: Readonly<Record<string, string>> = {
  A09: 'reports a patient in transit. Patient tracking is not followed.',
  A10: 'reports a patient in transit. Patient tracking is not followed.',
  A17: "swaps two patients' beds. Bed assignments are not followed.",
  A19: 'is a query, not an event.',
  A20: 'reports the status of a bed, not of a patient.',
  A24: "links two patients without saying that they're the same person.",
  A32: 'cancels the tracking of a patient in transit. Patient tracking is not followed.',
  A33: 'cancels the tracking of a patient in transit. Patient tracking is not followed.',
  A37: 'unlinks two patients. Links between patients are not kept.',
  A46: "changes the identifier in PID-2. It isn't used to identify patients.",
  A48: "changes the identifier in PID-4. It isn't used to identify patients.",
  A60: 'updates allergies. Allergies are not kept.',
  A61: 'changes a consulting doctor. Consulting doctors are not kept.',
  A62: 'cancels the change of a consulting doctor. Consulting doctors are not kept.',
};

/** Returns what a trigger requires of MRG (null: nothing); undefined if the trigger isn't acted on. */
export function mergeNeedOf(trigger: string): MergeNeed | undefined {
  return ACTED_ON.get(trigger);
}

/** Returns why a trigger isn't acted on. `event`: what the message says, in the words of its format. */
export function reasonNotActedOn(trigger: string, event = `MSH-9 is ADT^${trigger}`): string {
  return `${event}, which ${NOT_ACTED_ON[trigger] ?? 'is not a supported trigger event.'}`;
}
