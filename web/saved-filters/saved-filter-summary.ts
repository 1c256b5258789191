import { counted } from '#contract/counted.ts';
import type { Facet } from '#contract/facets.ts';
import type { FilterUse, SavedFilter } from '#contract/saved-filters.ts';
import { filterCount } from '../filters/criteria.ts';
import { CURRENT_STAYS_ONLY, facetInWords, hiddenPatients } from '../filters/criteria-words.ts';
import { criteriaOfSaved } from '../filters/search-parameters.ts';
import { formatDateTime } from '../ui/format/date.ts';

/** What a filter finds, by its search context: one row, several rows. */
const ROWS = { ALL: ['patient', 'patients'], PINGS: ['new ping', 'new pings'], EVENTS: ['event', 'events'] } as const;

/** Returns the facets of a saved filter in words. A name or birth date is mentioned but not shown. */
export const criteriaSummary = (saved: SavedFilter): string => {
  const criteria = criteriaOfSaved(saved);
  if (filterCount(criteria) === 0) return 'No filters. Shows everything.';
  return [
    criteria.openPatientsOnly && CURRENT_STAYS_ONLY,
    criteria.text && 'A name or identifier',
    criteria.dateOfBirth && 'A date of birth',
    criteria.ignored.length > 0 && hiddenPatients(criteria.ignored.length),
    ...Object.entries(criteria.filters).map(([facet, values]) => facetInWords(facet as Facet, values)),
  ]
    .filter(Boolean)
    .join(' · ');
};

/** Returns whose filter it is and who else sees it; an empty text for one's own that no one else sees. */
export const sharingSummary = ({ isShared, owner }: SavedFilter): string => {
  if (owner.isYou) return isShared ? 'Shared with your team' : '';
  return `Shared by ${owner.name}${owner.isOnTeam ? '' : ', who is no longer on this team'}`;
};

/** Returns what deleting a shared filter does to others. `use`: undefined while unknown. */
export const lossSummary = ({ isShared }: SavedFilter, use: FilterUse | undefined): string => {
  if (!isShared) return '';
  const users =
    use === undefined
      ? ''
      : `${use.colleagues === 0 ? 'No colleague uses it.' : `${counted(use.colleagues, 'colleague uses', 'colleagues use')} it.`} `;
  return ` ${users}Everyone on the team loses it, with their notifications for it.`;
};

/** Returns whether the filter looks for a person, which isn't shared. */
export const isAboutPerson = ({ userDefinedFacetPreferences: { query, dateOfBirth } }: SavedFilter): boolean =>
  query !== '' || dateOfBirth !== null;

/** Returns "74 patients now · Last used 11/21/2026 05:55 PM ET"; an empty text until the use is known. */
export const usageSummary = (saved: SavedFilter, use: FilterUse | undefined): string => {
  if (!use) return '';
  const [one, many] = ROWS[saved.searchContext];
  const found = use.count === null ? "You don't have access to this count" : `${counted(use.count, one, many)} now`;
  return `${found} · ${use.lastUsedAt ? `Last used ${formatDateTime(use.lastUsedAt)}` : 'Not used yet'}`;
};
