/** A subject is what gets identified: a facility's patient or a roster row, with its demographics. */
import { type Demographics, type NormalizedDemographics, normalize } from '#server/record/scoring/demographics.ts';
import { demographicsOfSource, type SourceDemographics } from '#server/record/scoring/source-demographics.ts';

export type SubjectKind = 'SOURCE_PATIENT' | 'ROSTER_PATIENT';

/** A row of `source_patients` or `roster_patients`. */
export interface Subject {
  kind: SubjectKind;
  id: string;
}

/** Returns a string that identifies the subject, for use as a map key. */
export const subjectKey = ({ kind, id }: Subject): string => `${kind}:${id}`;

/** A subject as stored. Contains patient data: keep it out of logs. */
export interface SubjectRecord extends Subject {
  groupId: string;
  personId: string;
  /** The group whose current list has this row; null for source patients, and for rows that have left. */
  listedBy: string | null;
  demographics: NormalizedDemographics;
}

/** Columns of `roster_patients` as `queries.ts` selects them. */
export type RosterDemographics = Omit<Demographics, 'formerFamilies' | 'phones' | 'email' | 'memberIds'> & {
  phones: (string | null)[];
};

export const ofRoster = (row: RosterDemographics): Demographics => ({
  ...row,
  formerFamilies: [],
  phones: row.phones.filter((phone) => phone !== null),
  email: null,
  // A roster's member IDs have no payer that could be compared with the one in a message.
  memberIds: [],
});

/** A row as `queries.ts` selects it. */
export type SubjectRow = { id: string; groupId: string; personId: string; isListed?: boolean } & (
  | { kind: 'SOURCE_PATIENT'; demographics: SourceDemographics }
  | { kind: 'ROSTER_PATIENT'; demographics: RosterDemographics }
);

/** The same with its demographics as text, which shows that they are known already without being parsed. */
export type TextRow = Pick<SubjectRow, 'kind' | 'id' | 'groupId' | 'personId' | 'isListed'> & { demographics: string };

/** What has been read already, by kind and text. */
export type KnownDemographics = Map<string, NormalizedDemographics>;

/** Records with the same demographics share one object, so that they are normalized and compared once. */
export function toRecords(
  rows: readonly TextRow[],
  known: KnownDemographics = new Map<string, NormalizedDemographics>(),
): SubjectRecord[] {
  return rows.map(({ kind, id, groupId, personId, isListed, demographics: text }) => {
    const before = known.get(kind + text);
    const demographics =
      before ?? normalize(storedDemographics({ kind, id, groupId, personId, demographics: JSON.parse(text) }));
    if (before === undefined) known.set(kind + text, demographics);
    return { kind, id, groupId, personId, listedBy: isListed ? groupId : null, demographics };
  });
}

/** Returns the demographics as they are stored. */
export const storedDemographics = (row: SubjectRow): Demographics =>
  row.kind === 'SOURCE_PATIENT' ? demographicsOfSource(row.demographics) : ofRoster(row.demographics);
