import type { KnownPerson } from '#server/record/scoring/decide.ts';
import { type Subject, type SubjectRecord, subjectKey } from './subjects.ts';

/** All who are in sight, in memory, moved as the decisions fall. */
export class Scene {
  readonly #records = new Map<string, SubjectRecord>();
  readonly #persons = new Map<string, Set<SubjectRecord>>();
  readonly #hits: ReadonlyMap<string, readonly Subject[]>;
  readonly #apart: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #hidden = new Set<string>();

  /** `apart`: subject to the persons from whom somebody keeps it apart (`review-queries.ts`). */
  constructor(
    records: readonly SubjectRecord[],
    hits: ReadonlyMap<string, readonly Subject[]>,
    apart: ReadonlyMap<string, ReadonlySet<string>>,
  ) {
    for (const record of records) {
      this.#records.set(subjectKey(record), record);
      this.#join(record);
    }
    this.#hits = hits;
    this.#apart = apart;
  }

  #join(record: SubjectRecord): void {
    const witnesses = this.#persons.get(record.personId);
    if (witnesses === undefined) this.#persons.set(record.personId, new Set([record]));
    else witnesses.add(record);
  }

  move(subject: SubjectRecord, personId: string): void {
    this.#persons.get(subject.personId)?.delete(subject);
    subject.personId = personId;
    this.#join(subject);
  }

  subjects = (): SubjectRecord[] => [...this.#records.values()];
  /** Who was never identified is nobody's candidate until his or her turn has come: one after the other, as if they had come so. */
  hide = (key: string): void => void this.#hidden.add(key);
  show = (key: string): void => void this.#hidden.delete(key);
  get = (key: string): SubjectRecord | undefined => this.#records.get(key);

  /** The others with one of the keys. */
  neighbours(subject: SubjectRecord, keys: readonly string[]): SubjectRecord[] {
    const found = new Set<SubjectRecord>();
    for (const key of new Set(keys)) {
      for (const hit of this.#hits.get(key) ?? []) {
        const key = subjectKey(hit);
        const record = this.get(key);
        if (record !== undefined && record !== subject && !this.#hidden.has(key)) found.add(record);
      }
    }
    return [...found];
  }

  /** The persons of the neighbours, each with all witnesses but the subject; not those who are kept apart from the subject's own. */
  candidates(subject: SubjectRecord, keys: readonly string[]): KnownPerson[] {
    const persons = new Set(this.neighbours(subject, keys).map(({ personId }) => personId));
    return [...persons].flatMap((personId) => {
      const witnesses = [...(this.#persons.get(personId) ?? [])];
      if (witnesses.some((witness) => this.#apart.get(subjectKey(witness))?.has(subject.personId))) return [];
      return [{ personId, records: witnesses.filter((r) => r !== subject).map((r) => r.demographics) }];
    });
  }

  /** The subject's own person, with the others who are linked to him or her; undefined where there are none. */
  companions(subject: SubjectRecord): KnownPerson | undefined {
    const others = [...(this.#persons.get(subject.personId) ?? [])].filter((record) => record !== subject);
    if (others.length === 0) return undefined;
    return { personId: subject.personId, records: others.map((record) => record.demographics) };
  }

  isShared = (subject: SubjectRecord): boolean => (this.#persons.get(subject.personId)?.size ?? 0) > 1;
}
