import { Anchor } from '@mantine/core';
import { FACETS, type Facet } from '#contract/facets.ts';
import { useSession } from '../session/session.ts';
import { formatDate } from '../ui/format/date.ts';
import { IconX } from '../ui/icons.ts';
import { countOf, without, withText } from './criteria.ts';
import classes from './filter-chips.module.css';
import { leftOut, summaryOf } from './filter-words.ts';
import type { ListFilters } from './use-filters.ts';

const Chip = ({ words, remove }: { words: string; remove: () => void }) => (
  <li className={classes.chip}>
    {words}
    <button type="button" aria-label={`Remove the filter ${words}`} onClick={remove}>
      <IconX size={14} aria-hidden />
    </button>
  </li>
);

interface Props {
  filters: ListFilters;
  /** "35 of 48": how many of how many are shown. */
  shown?: string | null;
  save?: () => void;
}

/** What is filtered and the one group that is looked at, one chip a facet, each with its end; nothing where nothing is filtered. */
export const FilterChips = ({ filters, shown, save }: Props) => {
  const { criteria, change, count, clear, search, patch } = filters;
  const { team } = useSession();
  const group = search.group ? team.groups[search.group] : undefined;
  const chosen = Object.entries(criteria.filters) as [Facet, NonNullable<(typeof criteria.filters)[Facet]>][];
  const isFiltered = count > 0 && countOf({ ...criteria, view: null }) > 0;
  if (!isFiltered && !group) return null;
  return (
    <ul
      // Safari takes the role from lists without markers.
      // oxlint-disable-next-line jsx-a11y/no-redundant-roles
      role="list"
      className={classes.chips}
      aria-label="Filters in use"
    >
      {shown && <li>{shown}</li>}
      {group && <Chip words={`Group: ${group.name}`} remove={() => patch({ group: undefined, p: undefined })} />}
      {criteria.text && (
        <Chip
          words={`Name or identifier: ${criteria.text}`}
          remove={() => change(withText(criteria, '', filters.kind.usual.sort), true)}
        />
      )}
      {criteria.dateOfBirth && (
        <Chip
          words={`Born: ${formatDate(criteria.dateOfBirth)}`}
          remove={() => change({ ...criteria, dateOfBirth: null }, true)}
        />
      )}
      {criteria.ignored.length > 0 && (
        <Chip words={leftOut(criteria.ignored.length)} remove={() => change({ ...criteria, ignored: [] })} />
      )}
      {criteria.openPatientsOnly && (
        <Chip words="Open patients only" remove={() => change({ ...criteria, openPatientsOnly: false })} />
      )}
      {chosen.map(([facet, values]) => (
        <Chip
          key={facet}
          words={`${FACETS[facet].label}: ${summaryOf(facet, values)}`}
          remove={() => change(without(criteria, facet))}
        />
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
    </ul>
  );
};
