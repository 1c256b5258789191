/** Which links the matcher would not make if it had to decide again, without a change to any. */
import type { Transaction } from '#server/platform/database/pool.ts';
import type { ListSnapshot } from '#server/record/scoring/common-values.ts';
import { type Decision, decide, type Evidence, KNOWN_RECORD, type KnownPerson } from '#server/record/scoring/decide.ts';
import { decideApart } from './apart.ts';
import { decideWho } from './decide-who.ts';
import { loadMatchingContext, type MatchingContext } from './matching-context.ts';
import { type Link, loadSubjectsOf } from './queries.ts';
import { type SubjectRecord, subjectKey } from './subjects.ts';

export interface UnsupportedLink {
  /** The link in force; its outcome is `matched`. */
  link: Link;
  /** The subject, and the source patients that were merged into it. */
  moving: SubjectRecord[];
  /** What the matcher would do instead: link someone else, ask a person, or nothing. */
  outcome: Decision['outcome'];
  /** How the subject compares with its person without the link. */
  evidence: Evidence;
}

/**
 * Returns the matcher's own links to these persons that it would not make now. A person's records are taken together: the links hold if they
 * can be made one after the other, starting with the records that were not linked by the matcher. Two records that agree with each other
 * alone support no link to the rest. What was linked under a known record number may rest on that again.
 */
export async function unsupportedLinks(tx: Transaction, personIds: readonly string[]): Promise<UnsupportedLink[]> {
  const context = await loadMatchingContext(tx, await loadSubjectsOf(tx, personIds));
  const records = Map.groupBy(context.subjects, ({ personId }) => personId);
  return [...records.values()].flatMap((ofPerson) => unsupportedIn(ofPerson, context));
}

function unsupportedIn(records: readonly SubjectRecord[], context: MatchingContext): UnsupportedLink[] {
  const linkOf = (record: SubjectRecord): Link | undefined => context.links.get(subjectKey(record));
  const isLinked = (record: SubjectRecord): boolean => ['matched', 'merged'].includes(linkOf(record)?.outcome ?? '');
  const waiting = new Set(records.filter(isLinked));
  if (waiting.size === records.length) waiting.delete(firstLinked(records, linkOf));
  for (let before = Number.POSITIVE_INFINITY; waiting.size < before; ) {
    before = waiting.size;
    for (const record of waiting) if (isSupported(record, records, waiting, context)) waiting.delete(record);
  }
  return [...waiting].flatMap((record) => {
    const link = linkOf(record);
    if (link?.outcome !== 'matched') return [];
    const person = personWithout(records, waiting);
    const { outcome, candidates } = decideAnew(record, person, waiting, context);
    const evidence = candidates.find(({ personId }) => personId === record.personId)?.evidence;
    const moving = [record, ...mergedInto(record, waiting, linkOf)];
    return [{ link, moving, outcome, evidence: evidence ?? levelsOf(record, person, context.snapshot) }];
  });
}

const firstLinked = (
  records: readonly SubjectRecord[],
  linkOf: (record: SubjectRecord) => Link | undefined,
): SubjectRecord => {
  const idOf = (record: SubjectRecord): number => Number(linkOf(record)?.id);
  return records.reduce((first, record) => (idOf(record) < idOf(first) ? record : first));
};

const personWithout = (records: readonly SubjectRecord[], except: ReadonlySet<SubjectRecord>): KnownPerson => ({
  personId: records[0]?.personId ?? '',
  records: records.filter((record) => !except.has(record)).map(({ demographics }) => demographics),
});

/** Whether the record belongs to those of its person that are not waiting. A merged one belongs where the surviving one does. */
function isSupported(
  record: SubjectRecord,
  records: readonly SubjectRecord[],
  waiting: ReadonlySet<SubjectRecord>,
  context: MatchingContext,
): boolean {
  const link = context.links.get(subjectKey(record));
  if (link?.outcome === 'merged') return ![...waiting].some((other) => isSurviving(other, link));
  const decision = decideAnew(record, personWithout(records, waiting), waiting, context);
  return decision.outcome === 'matched' && decision.personId === record.personId;
}

const isSurviving = ({ kind, id }: SubjectRecord, { evidence }: Link): boolean =>
  kind === 'SOURCE_PATIENT' && id === evidence.survivingId;

/** Decides as if the waiting records had not arrived yet. */
function decideAnew(
  record: SubjectRecord,
  person: KnownPerson,
  waiting: ReadonlySet<SubjectRecord>,
  context: MatchingContext,
): Decision {
  const { candidates, keys, keptFrom, links, snapshot } = context;
  const key = subjectKey(record);
  const first = candidates.get(subjectKey(keptFrom.apart.get(key) ?? record));
  if (first !== undefined && first !== record)
    return decideApart(
      record,
      candidates.personOf(first, record),
      candidates.of(record, keys.get(key) ?? [], waiting),
      snapshot,
    );
  const knownRecord = links.get(key)?.ruleId === KNOWN_RECORD ? person : undefined;
  return decideWho(record, context, { knownRecord, except: waiting });
}

/** Returns how the record compares with its person, whom the score does not even propose. */
function levelsOf({ demographics }: SubjectRecord, person: KnownPerson, snapshot: ListSnapshot | null): Evidence {
  const { evidence } = decide(demographics, [], { knownRecord: person, snapshot });
  if (evidence === null) throw new Error('A known person is always compared');
  return evidence;
}

/** Returns the records that were merged into this one, also over several merges. */
function mergedInto(
  record: SubjectRecord,
  waiting: ReadonlySet<SubjectRecord>,
  linkOf: (record: SubjectRecord) => Link | undefined,
): SubjectRecord[] {
  const isMerged = (other: SubjectRecord): boolean => {
    const link = linkOf(other);
    return link?.outcome === 'merged' && isSurviving(record, link);
  };
  const merged = [...waiting].filter(isMerged);
  return merged.flatMap((other) => [other, ...mergedInto(other, waiting, linkOf)]);
}
