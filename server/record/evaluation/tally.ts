import { type Decision, MOST_CANDIDATES, type RankedCandidate } from '#server/record/scoring/decide.ts';
import { RELATIONS, type Relation } from './person.ts';
import { scoreOf } from './score.ts';

/** An automatic link to someone else: how the two are related and what agreed. Contains no values. */
export interface FalseLink {
  /** The ids of the invented people, from which a world makes them again. */
  subject: string;
  linked: string;
  relation: Relation;
  partnerListed: boolean;
  bits: number;
  expectedFalse: number;
  /** `family exact`, one for each field that both have. */
  levels: string[];
}

/** Candidates without a veto, of one range of scores: those of whom so many wrong ones are expected per subject. */
export interface ScoreBin {
  /** Expected false links per subject, above this and at most `toExpected`. */
  fromExpected: number;
  toExpected: number;
  /** Candidates who are the subject, and who are not. */
  right: number;
  wrong: number;
  /** The share of wrong ones, and the share that the score predicts. */
  observed: number;
  predicted: number;
}

/** Wrong candidates who are as good as a number of expected false links, or better. */
export interface ExpectedBin {
  expectedFalse: number;
  /** How many per subject were found, those with a veto included, and how many of them have none. */
  observed: number;
  observedWithoutVeto: number;
}

/** The shares `automatic`, `review` and `missed` are of the true pairs. */
export interface WorldResult {
  subjects: number;
  listed: number;
  pairs: number;
  links: number;
  automatic: number;
  review: number;
  missed: number;
  precision: number;
  /** Reviews per subject, whether or not the list has the person. */
  reviewRate: number;
  false: number;
  falseWithoutPartner: number;
  falseByRelation: Record<Relation, number>;
  falseLinks: FalseLink[];
  /** Wrong candidates whom the score alone would have linked: without a veto, but ambiguous, or second to the right one. */
  wrongAtLimit: Record<Relation, number>;
  scoreBins: ScoreBin[];
  expectedBins: ExpectedBin[];
}

/** Bins are powers of ten; all smaller expectations share the first. */
const LEAST_BIN = -12;
const MOST_FALSE_LINKS = 50;
/** At most so many expected false links per subject are linked without a person. */
const LIMIT = 1e-6;
/** Expected false links per subject from 10 down to 1e-9. */
const EXPECTED = Array.from({ length: 11 }, (_, index) => 10 ** (1 - index));

const perBin = (): number[] => EXPECTED.map(() => 0);
const perRelation = (): Record<Relation, number> =>
  Object.fromEntries(RELATIONS.map((relation) => [relation, 0])) as Record<Relation, number>;

type Linked = Extract<Decision, { outcome: 'matched' }>;

/** Someone who was looked for in a list. */
export interface Subject {
  personId: string;
  isListed: boolean;
}

/** Counts what was decided about the subjects of one world or several. */
export class Tally {
  #counts = { subjects: 0, listed: 0, pairs: 0, right: 0, review: 0, reviews: 0, missed: 0, false: 0, falseAlone: 0 };
  readonly #byRelation = perRelation();
  readonly #wrongAtLimit = perRelation();
  readonly #falseLinks: FalseLink[] = [];
  readonly #bins = new Map<number, { right: number; wrong: number }>();
  readonly #wrong = perBin();
  readonly #wrongWithoutVeto = perBin();

  /** Adds the size of a world's list. */
  addList(people: number): void {
    this.#counts.listed += people;
  }

  /** Adds a decision. `relationTo` says how the subject is related to someone else. */
  add(decision: Decision, subject: Subject, relationTo: (personId: string) => Relation): void {
    const counts = this.#counts;
    counts.subjects++;
    if (decision.outcome === 'review') counts.reviews++;
    if (subject.isListed) {
      counts.pairs++;
      const seen = decision.candidates.slice(0, MOST_CANDIDATES);
      if (decision.outcome === 'matched') counts[decision.personId === subject.personId ? 'right' : 'missed']++;
      else counts[seen.some(({ personId }) => personId === subject.personId) ? 'review' : 'missed']++;
    }
    if (decision.outcome === 'matched' && decision.personId !== subject.personId) {
      counts.false++;
      if (!subject.isListed) counts.falseAlone++;
      this.#addFalse(decision, subject, relationTo(decision.personId));
    }
    for (const candidate of decision.candidates) this.#addCandidate(candidate, subject, relationTo);
  }

  #addFalse({ personId, evidence }: Linked, subject: Subject, relation: Relation): void {
    this.#byRelation[relation]++;
    if (this.#falseLinks.length >= MOST_FALSE_LINKS) return;
    const levels = Object.entries(evidence.fields)
      .filter(([, level]) => level !== 'missing')
      .map(([field, level]) => `${field} ${level}`);
    this.#falseLinks.push({
      subject: subject.personId,
      linked: personId,
      relation,
      partnerListed: subject.isListed,
      ...scoreOf(evidence),
      levels,
    });
  }

  #addCandidate(
    { personId, evidence }: RankedCandidate,
    subject: Subject,
    relationTo: (personId: string) => Relation,
  ): void {
    const { expectedFalse } = scoreOf(evidence);
    const isRight = personId === subject.personId;
    if (evidence.vetoes.length === 0) {
      const at = Math.max(LEAST_BIN, Math.ceil(Math.log10(expectedFalse)));
      const bin = this.#bins.get(at) ?? { right: 0, wrong: 0 };
      bin[isRight ? 'right' : 'wrong']++;
      this.#bins.set(at, bin);
    }
    if (isRight) return;
    if (expectedFalse <= LIMIT && evidence.vetoes.length === 0) this.#wrongAtLimit[relationTo(personId)]++;
    for (const [index, expected] of EXPECTED.entries()) {
      if (expectedFalse > expected) break;
      this.#wrong[index] = (this.#wrong[index] ?? 0) + 1;
      if (evidence.vetoes.length === 0) this.#wrongWithoutVeto[index] = (this.#wrongWithoutVeto[index] ?? 0) + 1;
    }
  }

  result(): WorldResult {
    const { subjects, listed, pairs, right, review, reviews, missed, falseAlone, ...counts } = this.#counts;
    const links = right + counts.false;
    const share = (count: number, of: number): number => (of === 0 ? 0 : Number((count / of).toFixed(8)));
    const perSubject = (count: number | undefined): number => (count ?? 0) / Math.max(subjects, 1);
    return {
      subjects,
      listed,
      pairs,
      links,
      automatic: share(right, pairs),
      review: share(review, pairs),
      missed: share(missed, pairs),
      precision: links === 0 ? 1 : share(right, links),
      reviewRate: share(reviews, subjects),
      false: counts.false,
      falseWithoutPartner: falseAlone,
      falseByRelation: this.#byRelation,
      falseLinks: this.#falseLinks,
      wrongAtLimit: this.#wrongAtLimit,
      scoreBins: [...this.#bins]
        .sort(([a], [b]) => a - b)
        .map(([at, { right, wrong }]) => {
          const [fromExpected, toExpected] = [at === LEAST_BIN ? 0 : 10 ** (at - 1), 10 ** at];
          const expected = subjects * (toExpected - fromExpected);
          const [observed, predicted] = [wrong / (right + wrong), expected / (right + expected)];
          return { fromExpected, toExpected, right, wrong, observed, predicted };
        }),
      expectedBins: EXPECTED.map((expectedFalse, index) => ({
        expectedFalse,
        observed: perSubject(this.#wrong[index]),
        observedWithoutVeto: perSubject(this.#wrongWithoutVeto[index]),
      })),
    };
  }
}
