import { type KnownPerson, MOST_CANDIDATES } from '#server/record/scoring/decide.ts';
import type { NormalizedDemographics } from '#server/record/scoring/demographics.ts';
import { type Subject, type SubjectRecord, subjectKey } from './subjects.ts';

/**
 * The persons that subjects may be, with their records, in memory. Follows each decision, so that the next subject is compared
 * with the result.
 */
export class Candidates {
  readonly #records = new Map<string, SubjectRecord>();
  /** A list is replaced when it changes, so that readers keep theirs. */
  readonly #persons = new Map<string, readonly SubjectRecord[]>();
  readonly #hits: ReadonlyMap<number, readonly SubjectRecord[]>;
  readonly #keptApart: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #merged: ReadonlyMap<string, readonly Subject[]>;
  readonly #hidden = new Set<SubjectRecord>();

  /**
   * `hits`: subjects by blocking key. `keptApart`: by subject, the persons that a person kept apart or took it from (`open-reviews.ts`). `merged`: by subject,
   * the source patients that the facility merged into it.
   */
  constructor(
    records: readonly SubjectRecord[],
    hits: ReadonlyMap<number, readonly Subject[]>,
    keptApart: ReadonlyMap<string, ReadonlySet<string>>,
    merged: ReadonlyMap<string, readonly Subject[]>,
  ) {
    for (const record of records) {
      this.#records.set(subjectKey(record), record);
      this.#join(record);
    }
    this.#hits = new Map(
      [...hits].map(([key, found]) => [key, found.flatMap((hit) => this.get(subjectKey(hit)) ?? [])]),
    );
    this.#keptApart = keptApart;
    this.#merged = merged;
  }

  #join(record: SubjectRecord): void {
    const records = this.#persons.get(record.personId);
    // The lists of most persons never change again.
    this.#persons.set(record.personId, records === undefined ? [record] : [...records, record]);
  }

  /** Links the subject, and those merged into it, to another person. */
  move(subject: SubjectRecord, personId: string): void {
    for (const record of this.mergedWith(subject)) {
      const others = this.recordsOf(record.personId).filter((other) => other !== record);
      this.#persons.set(record.personId, others);
      record.personId = personId;
      this.#join(record);
    }
  }

  /** Returns the subject, and those merged into it. */
  mergedWith(subject: SubjectRecord): SubjectRecord[] {
    if (this.#merged.size === 0) return [subject];
    const merged = this.#merged.get(subjectKey(subject)) ?? [];
    return [subject, ...merged.flatMap((other) => this.get(subjectKey(other)) ?? [])];
  }

  /** Returns all records of a person, of those that were loaded. */
  recordsOf = (personId: string): readonly SubjectRecord[] => this.#persons.get(personId) ?? NO_RECORDS;

  subjects = (): SubjectRecord[] => [...this.#records.values()];
  get = (key: string): SubjectRecord | undefined => this.#records.get(key);

  /** Keeps a subject out of the candidates of others. */
  hide = (subject: SubjectRecord): void => void this.#hidden.add(subject);
  show = (subject: SubjectRecord): void => void this.#hidden.delete(subject);
  isHidden = (subject: SubjectRecord): boolean => this.#hidden.has(subject);

  /** Returns the other subjects that have one of the keys and are not hidden. */
  neighbors = (subject: SubjectRecord, keys: readonly number[]): SubjectRecord[] =>
    this.sharing(subject, keys).filter((record) => !this.#hidden.has(record));

  /** Returns the other subjects that have one of the keys, hidden or not. */
  sharing(subject: SubjectRecord, keys: readonly number[]): SubjectRecord[] {
    const found = new Set<SubjectRecord>();
    for (const key of new Set(keys)) {
      for (const record of this.#hits.get(key) ?? []) if (record !== subject) found.add(record);
    }
    return [...found];
  }

  /**
   * Returns the persons the subject may be: those of its neighbors, each with all records except the subject, without persons
   * that a reviewer keeps apart from the subject's person, and without the records in `except`. Of persons who are alike, more than a review
   * lists change nothing.
   */
  of(subject: SubjectRecord, keys: readonly number[], except: ReadonlySet<SubjectRecord> = new Set()): KnownPerson[] {
    const people = new Map<string, KnownPerson>();
    for (const { personId } of this.neighbors(subject, keys).filter((record) => !except.has(record))) {
      if (people.has(personId)) continue;
      const records = this.recordsOf(personId).filter((record) => !except.has(record));
      if (records.some((record) => this.isKeptApart(record, subject.personId))) continue;
      people.set(personId, { personId, records: records.filter((r) => r !== subject).map((r) => r.demographics) });
    }
    return withoutCrowds([...people.values()]);
  }

  /** Whether a reviewer decided that the subject is not the person. */
  isKeptApart = (subject: SubjectRecord, personId: string): boolean =>
    this.#keptApart.size > 0 && (this.#keptApart.get(subjectKey(subject))?.has(personId) ?? false);

  /** Returns the person of one subject with all records except another subject's and those merged into it. */
  personOf({ personId }: SubjectRecord, except: SubjectRecord): KnownPerson {
    return this.personWithout(personId, this.mergedWith(except));
  }

  /** Returns a person without some records. */
  personWithout(personId: string, except: readonly SubjectRecord[]): KnownPerson {
    const records = this.recordsOf(personId).filter((record) => !except.includes(record));
    return { personId, records: records.map((record) => record.demographics) };
  }

  /** Returns the subject's own person with the other records linked to it, or undefined if there are none. */
  ownPerson(subject: SubjectRecord): KnownPerson | undefined {
    const person = this.personOf(subject, subject);
    return person.records.length === 0 ? undefined : person;
  }

  /** Whether other subjects are linked to the subject's person. */
  isShared = (subject: SubjectRecord): boolean => this.ownPerson(subject) !== undefined;
}

const NO_RECORDS: readonly SubjectRecord[] = [];

/** Keeps a few of the persons whose only record is the same, those that `decide` would list first. */
function withoutCrowds(people: readonly KnownPerson[]): KnownPerson[] {
  const alike = (person: KnownPerson): NormalizedDemographics | KnownPerson => {
    const [record, ...others] = person.records;
    return record === undefined || others.length > 0 ? person : record;
  };
  return [...Map.groupBy(people, alike).values()].flatMap((group) =>
    group.length <= MOST_CANDIDATES + 1
      ? group
      : group.toSorted((a, b) => (a.personId < b.personId ? -1 : 1)).slice(0, MOST_CANDIDATES + 1),
  );
}
