/** The order in which a story tells a patient's visits. */
import type { StoryEncounter } from '#contract/story.ts';
import { formatDate } from '../ui/format/date.ts';

/** Visits that follow each other without a night at home, newest first; usually one. */
export interface Episode {
  id: string;
  stays: StoryEncounter[];
  /** "No events 03/2026–08/2026": the months without any visit before its first stay. */
  gapBefore: string | null;
}

export interface Year {
  /** "2026", or "Date not recorded". */
  title: string;
  episodes: Episode[];
}

/** Returns visits, given newest first, by the year in which the last stay of their episode began. */
export const chronicleOf = (encounters: readonly StoryEncounter[]): Year[] => {
  const years: Year[] = [];
  for (const [id, stays] of Map.groupBy(encounters, ({ episodeId }) => episodeId)) {
    const title = yearOf(stays);
    const episode = { id, stays, gapBefore: gapInWords(stays) };
    const year = years.at(-1);
    if (year?.title === title) year.episodes.push(episode);
    else years.push({ title, episodes: [episode] });
  }
  return years;
};

const yearOf = ([newest]: readonly StoryEncounter[]): string => {
  const date = newest?.admittedDate ?? newest?.dischargedDate;
  return newest && date ? formatDate(date, newest.admittingFacility.timeZone).slice(-4) : 'Date not recorded';
};

const gapInWords = (stays: readonly StoryEncounter[]): string | null => {
  const gap = stays.at(-1)?.gapBefore;
  return gap ? `No events ${monthInWords(gap.from)}–${monthInWords(gap.to)}` : null;
};

const monthInWords = (month: string): string => `${month.slice(5)}/${month.slice(0, 4)}`;
