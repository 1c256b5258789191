import { Anchor } from '@mantine/core';
import type { Facet } from '#contract/facets.ts';
import { FIXED_FILTERS } from '#contract/saved-filter-words.ts';
import { useSession } from '../session/session.ts';
import { formatDate } from '../ui/format/date.ts';
import { IconX } from '../ui/icons.ts';
import { without, withText } from './criteria.ts';
import { CURRENT_STAYS_ONLY, facetInWords, hiddenPatients } from './criteria-words.ts';
import { EveryoneHint } from './everyone-hint.tsx';
import classes from './filter-chips.module.css';
import type { ListFilters } from './use-filters.ts';

const Chip = ({ words, remove }: { words: string; remove: () => void }) => (
  <li className={classes.chip}>
    <span className={classes.words} title={words}>
      {words}
    </span>
    <button type="button" aria-label={`Remove filter ${words}`} onClick={remove}>
      <IconX size={14} aria-hidden />
    </button>
  </li>
);

interface Props {
  filters: ListFilters;
  /** "35 of 48". */
  shown?: string | null;
  /** How many rows match; null while unknown. */
  total: number | null;
  save?: () => void;
  /** What else restricts the list, which the page itself sets. */
  more?: readonly { words: string; remove: () => void }[];
}

/** The filters in use, one removable chip per facet. Renders nothing for an unfiltered list. */
export const FilterChips = ({ filters, shown, total, save, more = [] }: Props) => {
  const { criteria, change, count, clear, search, patch } = filters;
  const { team } = useSession();
  const group = search.group ? team.groups[search.group] : undefined;
  const chosen = Object.entries(criteria.filters) as [Facet, NonNullable<(typeof criteria.filters)[Facet]>][];
  const isFiltered = count > 0;
  const { saved } = filters;
  if (!isFiltered && !group && !saved && more.length === 0) return null;
  return (
    <ul
      // Safari drops the role of lists without markers.
      // oxlint-disable-next-line jsx-a11y/no-redundant-roles
      role="list"
      className={classes.chips}
      aria-label="Applied filters"
    >
      {shown && <li>{shown}</li>}
      {saved && <Chip words={saved.name} remove={() => filters.selectFixed('ALL_PATIENTS')} />}
      {!saved && criteria.view && criteria.view !== 'ALL_PATIENTS' && (
        <Chip words={FIXED_FILTERS[criteria.view].label} remove={() => change({ ...criteria, view: 'ALL_PATIENTS' })} />
      )}
      {more.map((each) => (
        <Chip key={each.words} {...each} />
      ))}
      {group && <Chip words={`Group: ${group.name}`} remove={() => patch({ group: undefined, p: undefined })} />}
      {criteria.text && (
        <Chip
          words={`Name or identifier: ${criteria.text}`}
          remove={() => change(withText(criteria, '', filters.kind.defaults.sort), true)}
        />
      )}
      {criteria.dateOfBirth && (
        <Chip
          words={`Born: ${formatDate(criteria.dateOfBirth)}`}
          remove={() => change({ ...criteria, dateOfBirth: null }, true)}
        />
      )}
      {criteria.ignored.length > 0 && (
        <Chip words={hiddenPatients(criteria.ignored.length)} remove={() => change({ ...criteria, ignored: [] })} />
      )}
      {criteria.openPatientsOnly && (
        <Chip words={CURRENT_STAYS_ONLY} remove={() => change({ ...criteria, openPatientsOnly: false })} />
      )}
      {chosen.map(([facet, values]) => (
        <Chip key={facet} words={facetInWords(facet, values)} remove={() => change(without(criteria, facet))} />
      ))}
      {isFiltered && (
        <li>
          <Anchor component="button" size="xs" className={classes.clear} onClick={clear}>
            Clear all
          </Anchor>
        </li>
      )}
      {isFiltered && save && !filters.saved && (
        <li>
          <Anchor component="button" size="xs" className={classes.clear} onClick={save}>
            Save filter
          </Anchor>
        </li>
      )}
      <EveryoneHint filters={filters} here={total} />
    </ul>
  );
};
