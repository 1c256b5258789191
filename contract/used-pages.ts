/** The tracked locations at which the product has a page. A file of its own: the first page needs the locations, but not all paths. */
import { PAGE_PATHS } from './page-paths.ts';
import { SPOTLIGHT_LABELS } from './spotlight-labels.ts';
import { PAGES, pageOf, type UsageLocation } from './usage-locations.ts';

const SPOTLIGHT_LOCATIONS = [...Object.keys(SPOTLIGHT_LABELS), 'embedded'].map((name) => `analytics ${name}`);

/** The pages that lists and patients have, then the others. */
const FIRST: readonly UsageLocation[] = ['patient roster', 'ping feed', 'case management', 'care team', 'attachments'];

/**
 * Returns the locations at which some of these paths have a page, in the order of the table, and each spotlight after the page that shows the first of
 * them. Sign-in is none: no signed-in user opens it.
 */
export const locationsOfPages = (paths: readonly string[] = PAGE_PATHS): string[] => {
  const based = paths.filter((path) => /^\/(dashboard|hospital|ehr)\b/.test(path));
  const found = new Set(based.map((path) => pageOf(path.replaceAll('$', ''))));
  return [...new Set([...FIRST, ...PAGES.map(([, location]) => location)])]
    .filter((location) => found.has(location))
    .flatMap((location) => (location === 'analytics' ? [location, ...SPOTLIGHT_LOCATIONS] : location));
};
