/** What the fold carries along while it walks through a visit's facts, and the events that it gives on the way. */
import { EVENT_LABELS, type EventCode, type Setting } from '#contract/event-codes.ts';
import type { Location, Moment, Payer } from '#server/intake/hl7/adt-facts.ts';
import { minuteOf } from './event-time.ts';
import type { FoldFacility } from './fold-input.ts';
import type { Dated } from './timeline.ts';
import { arrivalCode, emptyState, payerName, type VisitState } from './visit-state.ts';

/** Something that happened in a visit: one of the thirteen codes. */
export interface FoldedEvent {
  /** Code, minute (or day) and ordinal among equals: unique in its visit, the same whenever the same content is folded. */
  key: string;
  code: EventCode;
  at: Moment;
  setting: Setting;
  /** Where the patient came from within the visit; null where that is unknown or did not change. */
  priorSetting: Setting | null;
  pointOfCare: string | null;
  /** Disposition and destination of an event that ends the visit. */
  disposition: string | null;
  dischargedTo: string | null;
  /** PV1-14 of an event that begins the visit. */
  admitSource: string | null;
  payer: string | null;
  /** Nobody said so; it follows from the PV1-44 of another message. */
  inferred: boolean;
  /** Entered by a person. */
  isManual: boolean;
  /** The facts that gave or amended it. */
  factIds: string[];
}

export type VisitFlag =
  | 'ADMISSION_UNKNOWN'
  | 'SETTING_UNKNOWN'
  | 'DISCHARGE_WITH_STILL_PATIENT'
  | 'ACTIVITY_AFTER_DISCHARGE'
  | 'DEATH_CONTRADICTED'
  | 'CANCEL_WITHOUT_TARGET'
  /** A message had a time that lay in its future. */
  | 'TIME_NOT_BELIEVED';

export type Draft = Omit<FoldedEvent, 'key'> & { orderedAt: number };

/** none: nothing yet. single: an encounter of one event, over at once. left: on leave. */
export type Phase = 'none' | 'planned' | 'single' | 'open' | 'left' | 'ended';

export interface Walk {
  facility: FoldFacility;
  state: VisitState;
  phase: Phase;
  drafts: Draft[];
  /** The last event that began a stay, and the PV1-44 that it came with. */
  start: Draft | null;
  startedFor: Moment | null;
  /** The event that ended the stay; `closed` where a job did, for want of a discharge. */
  end: Draft | null;
  closed: Draft | null;
  died: Draft | null;
  /** False where the death is an event of another visit of the patient (`death.ts`). */
  tellsDeath: boolean;
  /** The last that was heard of the patient came from another facility of the feed (`hand-over.ts`). */
  isElsewhere: boolean;
  /** When the patient came here from another facility, where no admission here was told before. */
  arrivedAt: Moment | null;
  flags: Set<VisitFlag>;
  /** Fact id → what became of it. */
  outcomes: Map<string, string>;
}

/** The state as it was before a fact wrote into it. */
export interface Before {
  setting: Setting;
  location: Location | null;
  payer: Payer | undefined;
}

export const beginWalk = (facility: FoldFacility, tellsDeath: boolean): Walk => ({
  facility,
  state: emptyState(),
  phase: 'none',
  drafts: [],
  start: null,
  startedFor: null,
  end: null,
  closed: null,
  died: null,
  tellsDeath,
  isElsewhere: false,
  arrivedAt: null,
  flags: new Set(),
  outcomes: new Map(),
});

/** Adds an event with the state as it stands now. */
export function give(walk: Walk, dated: Dated, code: EventCode, details: Partial<Draft> = {}): Draft {
  const { state } = walk;
  const draft: Draft = {
    code,
    at: dated.at,
    orderedAt: dated.orderedAt,
    setting: state.setting,
    priorSetting: null,
    pointOfCare: state.location?.pointOfCare ?? null,
    disposition: null,
    dischargedTo: null,
    admitSource: null,
    payer: payerName(state.payers[0]),
    inferred: false,
    isManual: dated.fact.manualCode !== undefined,
    factIds: [],
    ...details,
  };
  credit(draft, dated);
  walk.drafts.push(draft);
  return draft;
}

/** The setting before, where it is known and another one. */
export const priorSetting = (walk: Walk, before: Before): Setting | null =>
  before.setting === 'UNKNOWN' || before.setting === walk.state.setting ? null : before.setting;

export function credit(draft: Draft, { fact }: Dated): void {
  if (!draft.factIds.includes(fact.id)) draft.factIds.push(fact.id);
  if (fact.manualCode === undefined) draft.isManual = false;
}

/** The patient was seen again after a job had closed the ED visit: the close did not happen. */
export function reopenClosed(walk: Walk, dated: Dated): void {
  if (!walk.closed) return;
  withdraw(walk, walk.closed);
  for (const id of walk.closed.factIds) walk.outcomes.set(id, `superseded by ${dated.fact.adt.trigger}`);
  walk.closed = null;
  walk.phase = 'open';
}

function withdraw(walk: Walk, draft: Draft): void {
  walk.drafts.splice(walk.drafts.indexOf(draft), 1);
}

/**
 * A stay whose beginning nobody told: where class and PV1-44 are known they tell it. The delivery decides whether anyone
 * hears of it.
 */
export function inferStart(walk: Walk, dated: Dated): boolean {
  const { state, facility } = walk;
  if (walk.start || walk.phase !== 'open' || !state.admittedAt) return false;
  const code = arrivalCode('A08', state.setting, facility);
  if (code === null || code === 'VISIT') return false;
  walk.start = give(walk, dated, code, {
    at: state.admittedAt,
    orderedAt: Date.parse(state.admittedAt.instant),
    admitSource: state.admitSource,
    inferred: true,
  });
  walk.startedFor = state.admittedAt;
  return true;
}

/** 'gave Admitted', in the words of the inbox. */
export const gave = (code: EventCode): string => `gave ${EVENT_LABELS[code]}`;

/** Events in the order in which they happened, with their keys. */
export function finishEvents(drafts: readonly Draft[]): FoldedEvent[] {
  const ordinals = new Map<string, number>();
  const inOrder = drafts.toSorted((a, b) => a.orderedAt - b.orderedAt);
  return inOrder.map(({ orderedAt: _, ...draft }) => {
    const when = draft.at.precision === 'day' ? draft.at.localDate : minuteOf(draft.at);
    const base = `${draft.code}@${when}`;
    const ordinal = (ordinals.get(base) ?? 0) + 1;
    ordinals.set(base, ordinal);
    return { key: `${base}#${ordinal}`, ...draft };
  });
}
