import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { counted } from '#contract/counted.ts';
import { MANAGEMENT_STATUS_LABELS } from '#contract/management-status.ts';
import { queryClient } from '../../api/query-client.ts';
import { savedFiltersQuery } from '../../filters/saved-filter-queries.ts';
import { correctionWord, EventPhrase } from '../../patient/event-phrase.tsx';
import { SimilarNameBadge } from '../../patient/identity-badges.tsx';
import { born } from '../../patient/phrases.ts';
import { useSimilarNames } from '../../patient/use-similar-names.ts';
import { useBack } from '../../router/use-back.ts';
import { optOutsQuery } from '../../session/beta.ts';
import { eventTime } from '../../ui/format/date.ts';
import { groupedId } from '../../ui/format/name.ts';
import { IconSearch } from '../../ui/icons.ts';
import { Button } from '../../ui/plain/button.tsx';
import { useNow } from '../../ui/use-now.ts';
import { type Entry, type Section, useEntries } from './entries.ts';
import classes from './palette.module.css';
import { MOST, type PatientHit, usePatientHits } from './patient-hits.ts';

/** What happened in the stay that a hit leads to, where and when, and the status: a patient can have several. */
const HitStay = ({ stay, now }: { stay: NonNullable<PatientHit['stay']>; now: Date }) => (
  <span className={classes.stay}>
    <EventPhrase ping={stay} />
    {correctionWord(stay)} · {stay.facilityName} · {eventTime(stay.eventDate, stay.timeZone, now)} ·{' '}
    {MANAGEMENT_STATUS_LABELS[stay.managementStatus]}
  </span>
);

/**
 * Name, birth date (age), sex and member ID, with a warning if the patient could be mistaken for another one. A hit of the inbox also names the
 * stay.
 */
const Hit = ({ hit, isSimilar, now }: { hit: PatientHit; isSimilar: boolean; now: Date }) => (
  <span className={classes.hit}>
    <strong>{hit.name}</strong>{' '}
    <span className={classes.dim}>
      {[born(hit.dateOfBirth, now), hit.gender].filter(Boolean).join(' · ')}
      {hit.memberId && (
        <>
          {' · '}
          <span className={classes.id}>{groupedId(hit.memberId)}</span>
        </>
      )}
    </span>{' '}
    {(isSimilar || hit.isSimilarToAnother) && <SimilarNameBadge />}
    {hit.stay && <HitStay stay={hit.stay} now={now} />}
  </span>
);

interface ListProps {
  id: string;
  sections: Section[];
  active: Entry | undefined;
  activate: (entry: Entry) => void;
  choose: (entry: Entry) => void;
  similar: ReadonlySet<string>;
}

const Options = ({ id, sections, active, activate, choose, similar }: ListProps) => {
  const now = useNow();
  return (
    <div id={id} role="listbox" aria-label="Results" className={classes.list}>
      {sections.map(({ title, entries }, section) => (
        <div key={title} role="group" aria-labelledby={`${id}-${section}`}>
          <div id={`${id}-${section}`} role="presentation" className={classes.title}>
            {title}
          </div>
          {entries.map((entry) => (
            // The field keeps the focus and has the keys.
            // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox handles keys
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
            <div
              key={entry.id}
              id={`${id}-${entry.id}`}
              role="option"
              tabIndex={-1}
              aria-selected={entry === active}
              className={classes.option}
              onMouseMove={() => activate(entry)}
              onClick={() => choose(entry)}
            >
              {entry.hit ? (
                <Hit hit={entry.hit} isSimilar={similar.has(entry.hit.id)} now={now} />
              ) : (
                <span>{entry.label}</span>
              )}
              {entry.keys && (
                <span className={classes.keys}>
                  {entry.keys.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </span>
              )}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
};

/** Returns what there is to say about the results. */
const statusOf = (
  text: string,
  { asked, searching, failed, patients, pings }: ReturnType<typeof usePatientHits>,
  count: number,
): string => {
  if (failed) return "Couldn't search patients.";
  if (asked && searching) return 'Searching…';
  if (text.trim() === '') return 'Type a name, a birth date (MM/DD/YYYY) or an ID.';
  if (count === 0)
    return asked ? 'Nothing matches. Check the spelling, or search by birth date.' : 'Type one more letter.';
  // The server was asked for no more than these.
  if (Math.max(patients.length, pings.length) >= MOST) return 'The first results. Type more of the name to see others.';
  return counted(count, 'result', 'results');
};

/** The typed text, what it finds, which entry is active, and the keys. */
const usePalette = (id: string, close: () => void) => {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const hits = usePatientHits(text);
  const sections = useEntries(text, hits);
  const entries = sections.flatMap((section) => section.entries);
  const active = entries[Math.min(at, entries.length - 1)];
  const activeId = active && `${id}-${active.id}`;
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);
  const choose = (entry: Entry): void => {
    close();
    // Once the palette is gone and the focus is back where it was.
    requestAnimationFrame(entry.run);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by && entries.length > 0) setAt((Math.min(at, entries.length - 1) + by + entries.length) % entries.length);
    else if (event.key === 'Enter' && active) choose(active);
    else if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) close();
    else return;
    event.preventDefault();
  };
  const type = (typed: string): void => {
    setText(typed);
    setAt(0);
  };
  const activate = (entry: Entry): void => setAt(entries.indexOf(entry));
  return { text, type, hits, sections, count: entries.length, active, activeId, activate, choose, onKeyDown };
};

/** Loads what the palette shows at first, so that nothing in it moves once it is open. */
export const preparePalette = (): void => {
  void queryClient.prefetchQuery(optOutsQuery);
  void queryClient.prefetchQuery(savedFiltersQuery);
};

/** Opens patients, pings, pages and filters, and does what the page below can do. What is typed stays in memory. */
export const Palette = ({ close }: { close: () => void }) => {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useBack(close);
  const { text, type, hits, sections, count, active, activeId, activate, choose, onKeyDown } = usePalette(id, close);
  const similar = useSimilarNames([...hits.patients, ...hits.pings], 0);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    shown?.querySelector('input')?.focus();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={classes.palette}
      aria-label="Search patients, pages and actions"
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={(event) => event.target === dialog.current && close()}
      onKeyDown={onKeyDown}
    >
      <div className={classes.field}>
        <IconSearch size={18} stroke={1.75} aria-hidden />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={activeId}
          aria-autocomplete="list"
          aria-label="Search patients, pages and actions"
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          value={text}
          onChange={({ currentTarget }) => type(currentTarget.value)}
        />
        <Button size="compact-xs" variant="subtle" color="gray" onClick={close}>
          Close
        </Button>
      </div>
      <Options id={id} sections={sections} active={active} activate={activate} choose={choose} similar={similar} />
      <div className={classes.foot}>
        <span role="status">{statusOf(text, hits, count)}</span>
        {hits.failed && (
          <Button size="compact-xs" variant="default" onClick={hits.retry}>
            Retry
          </Button>
        )}
      </div>
    </dialog>
  );
};
