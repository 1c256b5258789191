import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FIXED_FILTERS, type FixedFilter } from '#contract/saved-filter-words.ts';
import { savedFiltersQuery } from '../../filters/saved-filter-queries.ts';
import { useNavigate } from '../../router/hooks.ts';
import { useBeta } from '../../session/beta.ts';
import { inboxPath, patientPath, patientsPath, profilePath, whatsNewPath } from '../../session/paths.ts';
import { useSession } from '../../session/session.ts';
import type { CommandId } from '../../ui/command-keys.ts';
import { COMMAND_IDS, COMMAND_WORDS, printedKeys } from '../../ui/command-words.ts';
import { availableCommands } from '../../ui/commands.ts';
import { useNow } from '../../ui/use-now.ts';
import { usePages } from '../pages.ts';
import type { PatientHit } from './patient-hits.ts';
import { typedPatient } from './typed-patient.ts';

/** Something to choose in the palette. */
export interface Entry {
  id: string;
  label: string;
  /** The patient, for a hit. */
  hit?: PatientHit;
  /** As printed on a keyboard. */
  keys?: string[];
  run: () => void;
}
export interface Section {
  title: string;
  entries: Entry[];
}

/** How many entries that nobody asked for a section shows. */
const UNASKED = 5;

/** Returns a text in small letters, without accents. */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase('en-US');

/** Returns whether each typed word begins a word of the label. */
const matches = (label: string, text: string): boolean => {
  const words = plain(label).split(/[^\p{L}\p{N}]+/u);
  const typed = plain(text).split(/\s+/).filter(Boolean);
  return typed.every((one) => words.some((word) => word.startsWith(one)));
};

/** Whether the text is looked for among identifiers, where no typing error is forgiven. */
const isIdentifier = (text: string): boolean => /\d/.test(text);

/** What was found for a text. */
type Hits = Record<'patients' | 'pings', PatientHit[]>;

/** What the page below can do, as it was when the palette opened: by then the palette has its keys. */
const useActions = (): Section[] => {
  const [available] = useState(availableCommands);
  // Until the answer is there, nothing appears that would be taken away again.
  if (!useBeta('PALETTE_ACTIONS')) return [];
  // The commands of a ping need an open one.
  const isOpen = available.has('ping.story');
  const ids = COMMAND_IDS.filter(
    (id) => COMMAND_WORDS[id].isAction && available.has(id) && (isOpen || COMMAND_WORDS[id].place !== 'Open ping'),
  );
  const about = available.get('ping.story')?.about;
  const isAboutPing = (id: CommandId): boolean => /^(ping|patient)\./.test(id);
  const entry = (id: CommandId): Entry => ({
    id,
    label: COMMAND_WORDS[id].label,
    keys: printedKeys(id)[0],
    run: () => available.get(id)?.run(),
  });
  return [
    { title: about ? `Open ping: ${about}` : 'This patient', entries: ids.filter(isAboutPing).map(entry) },
    { title: 'Actions', entries: ids.filter((id) => !isAboutPing(id)).map(entry) },
  ];
};

/** The pages of the user's experience. */
const usePageEntries = (): Section => {
  const { user } = useSession();
  const navigate = useNavigate();
  const pages = [
    ...usePages(),
    { id: 'go.news' as const, to: whatsNewPath(user), label: 'What’s new' },
    { id: 'go.profile' as const, to: profilePath(user), label: 'Your profile' },
  ];
  return {
    title: 'Pages',
    entries: pages.map(({ id, to, label }) => ({
      id,
      label,
      keys: printedKeys(id)[0],
      run: () => void navigate({ to }),
    })),
  };
};

/** The fixed and saved filters, each of which opens its list. */
const useFilterEntries = (): Section => {
  const { user, can } = useSession();
  const navigate = useNavigate();
  const { data: saved = [] } = useQuery(savedFiltersQuery);
  const fixed = (Object.keys(FIXED_FILTERS) as FixedFilter[]).filter((view) => {
    const { permission } = FIXED_FILTERS[view];
    return can('canViewPatients') && (permission === null || can(permission));
  });
  const ofPatients = patientsPath(user);
  return {
    title: 'Filters',
    entries: [
      ...fixed.map((view) => ({
        id: `view-${view}`,
        label: `Patients: ${FIXED_FILTERS[view].label}`,
        run: () => void navigate({ to: ofPatients, search: { view } }),
      })),
      ...saved
        .filter(({ searchContext }) => can(searchContext === 'PINGS' ? 'canViewPings' : 'canViewPatients'))
        .map(({ id, name, searchContext }) => {
          const isOfPings = searchContext === 'PINGS';
          const to = `${isOfPings ? inboxPath(user) : ofPatients}/active-filter-id/${id}`;
          return {
            id: `filter-${id}`,
            label: `${isOfPings ? 'Pings' : 'Patients'}: ${name}`,
            run: () => void navigate({ to }),
          };
        }),
    ],
  };
};

/** Patients and pings, each under its title. */
const useHitSections = (): ((hits: Hits, titles: readonly [string, string]) => Section[]) => {
  const { user } = useSession();
  const navigate = useNavigate();
  const entry = (hit: PatientHit, kind: string, run: () => void): Entry => ({
    id: `${kind}-${hit.id}`,
    label: hit.name,
    hit,
    run,
  });
  return ({ patients, pings }, [ofPatients, ofPings]) => [
    {
      title: ofPatients,
      entries: patients.map((hit) => entry(hit, 'patient', () => void navigate({ to: patientPath(user, hit.id) }))),
    },
    {
      title: ofPings,
      entries: pings.map((hit) =>
        entry(hit, 'ping', () => void navigate({ to: inboxPath(user), search: { sel: hit.id } })),
      ),
    },
  ];
};

/**
 * Returns what the palette offers for a text, or what the page can do while nothing is typed. Patients whose names begin with the words come first.
 * Those who were found in spite of a typing error come after what begins with them: who types "snoo" and Enter snoozes, and doesn't open another
 * patient's chart.
 */
export const useEntries = (text: string, hits: Hits): Section[] => {
  const sectionsOf = useHitSections();
  const others = [...useActions(), usePageEntries(), useFilterEntries()];
  const isTyped = text.trim() !== '';
  const today = useNow();
  const query = typedPatient(text, today)?.query ?? '';
  const isSure = ({ name }: PatientHit): boolean => isIdentifier(query) || matches(name, query);
  const parted = (sure: boolean): Hits => ({
    patients: hits.patients.filter((hit) => isSure(hit) === sure),
    pings: hits.pings.filter((hit) => isSure(hit) === sure),
  });
  const offered = others.map(({ title, entries }) => ({
    title,
    entries: isTyped
      ? entries.filter(({ label }) => matches(label, text))
      : title === 'Filters'
        ? entries.slice(0, UNASKED)
        : entries,
  }));
  const sections = [
    ...sectionsOf(parted(true), ['Patients', 'Pings']),
    ...offered,
    ...sectionsOf(parted(false), ['Other patients', 'Other pings']),
  ];
  return sections.filter(({ entries }) => entries.length > 0);
};
