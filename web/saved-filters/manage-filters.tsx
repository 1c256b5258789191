import { ActionIcon, Badge, Button, Group, Modal, Text, TextInput } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import type { Facet } from '#contract/facets.ts';
import { FACETS } from '#contract/facets.ts';
import { FILTER_NAME_LIMIT, type SearchModule } from '#contract/saved-filter-words.ts';
import type { FilterUse, SavedFilter } from '#contract/saved-filters.ts';
import { call } from '../api/call.ts';
import { countOf } from '../filters/criteria.ts';
import { searchOf } from '../filters/filter-search.ts';
import { leftOut, summaryOf } from '../filters/filter-words.ts';
import { savedFiltersQuery, searchPreferencesQuery } from '../filters/saved-filter-queries.ts';
import { criteriaOfSaved } from '../filters/search-parameters.ts';
import type { ListFilters } from '../filters/use-filters.ts';
import { Confirm } from '../forms/confirm.tsx';
import { Loaded } from '../forms/loaded.tsx';
import { announce } from '../ui/announcer.tsx';
import { formatDateTime } from '../ui/format/date.ts';
import { IconArrowDown, IconArrowUp, IconCopy, IconPencil, IconStar, IconStarFilled, IconTrash } from '../ui/icons.ts';
import { showToast } from '../ui/toasts.tsx';
import { counted } from '../ui/use-announced.ts';
import type { SavedFilterChanges } from './saved-filter-changes.ts';
import classes from './saved-filters.module.css';

/** When each was last used, and how many rows it finds now: for the list of them, each time that it is opened. */
const usesQuery = queryOptions({
  queryKey: ['saved-filter-uses'],
  queryFn: () => call('GET /api/patient-search-params/uses'),
  staleTime: 0,
  gcTime: 0,
  retry: false,
});

const wordsOf = (saved: SavedFilter): string => {
  const criteria = criteriaOfSaved(saved);
  if (countOf(criteria) === 0) return 'No filter: everything.';
  return [
    criteria.openPatientsOnly && 'Open patients only',
    criteria.text && 'A name or identifier',
    criteria.dateOfBirth && 'A date of birth',
    criteria.ignored.length > 0 && leftOut(criteria.ignored.length),
    ...Object.entries(criteria.filters).map(
      ([facet, values]) => `${FACETS[facet as Facet].label}: ${summaryOf(facet as Facet, values)}`,
    ),
  ]
    .filter(Boolean)
    .join(' · ');
};

/** "74 patients now · Last used 11/21/2026 05:55 PM ET"; nothing while it is not known. */
const wordsOfUse = (saved: SavedFilter, use: FilterUse | undefined): string => {
  if (!use) return '';
  const [one, many] = ROWS[saved.searchContext];
  const found = use.count === null ? 'Cannot be counted with your permissions' : `${counted(use.count, one, many)} now`;
  return `${found} · ${use.lastUsedAt ? `Last used ${formatDateTime(use.lastUsedAt)}` : 'Not used yet'}`;
};
const ROWS = { ALL: ['patient', 'patients'], PINGS: ['new ping', 'new pings'], EVENTS: ['event', 'events'] } as const;

/** Shares what a filter asks for. A name or birth date in it stays out: no address carries one. */
const CopyLink = ({ saved, link }: { saved: SavedFilter; link: string }) => {
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(link);
      const { query, dateOfBirth } = saved.userDefinedFacetPreferences;
      const without = query || dateOfBirth ? ' The name or birth date in it is left out.' : '';
      showToast({ type: 'success', message: `The link to ${saved.name} was copied.${without}` });
    } catch {
      showToast({ type: 'warning', message: 'The browser did not allow to copy the link.' });
    }
  };
  return (
    <ActionIcon
      aria-label={`Copy a link to ${saved.name}`}
      title="Copy a link for somebody of your team"
      onClick={() => void copy()}
    >
      <IconCopy size={16} stroke={1.75} aria-hidden />
    </ActionIcon>
  );
};

interface ItemProps {
  saved: SavedFilter;
  last: number;
  isDefault: boolean;
  use: FilterUse | undefined;
  module: SearchModule | null;
  /** Of what the filter asks for, for somebody else. */
  link: string;
  changes: SavedFilterChanges;
  ask: () => void;
}

const Item = ({ saved, last, isDefault, use, module, link, changes, ask }: ItemProps) => {
  const [name, setName] = useState<string | null>(null);
  const { rename, move, makeDefault } = changes;
  const go = (to: number): void => {
    if (to < 1 || to > last || move.isPending) return;
    move.mutate({ saved, orderNum: to });
    announce(`${saved.name}: ${to} of ${last}.`);
  };
  const save = (): void => {
    const next = name?.trim();
    setName(null);
    if (next && next !== saved.name) rename.mutate({ saved, name: next });
  };
  const step = (word: string, to: number, Icon: typeof IconArrowUp) => (
    <ActionIcon
      aria-label={`Move ${saved.name} ${word}`}
      title={`Move ${word}`}
      disabled={to < 1 || to > last}
      onClick={() => go(to)}
    >
      <Icon size={16} stroke={1.75} aria-hidden />
    </ActionIcon>
  );
  if (name !== null)
    return (
      <li className={classes.item}>
        <form
          className={classes.rename}
          onSubmit={(event) => {
            event.preventDefault();
            save();
          }}
        >
          <TextInput
            // Came by a press on "Rename".
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            aria-label={`New name of ${saved.name}`}
            maxLength={FILTER_NAME_LIMIT}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return;
              event.stopPropagation();
              setName(null);
            }}
          />
          <Button type="submit" size="xs" disabled={name.trim() === ''}>
            Rename
          </Button>
          <Button size="xs" variant="default" onClick={() => setName(null)}>
            Cancel
          </Button>
        </form>
      </li>
    );
  const Star = isDefault ? IconStarFilled : IconStar;
  return (
    <li className={classes.item}>
      <div className={classes.named}>
        <span className={classes.name}>{saved.name}</span>{' '}
        {isDefault && (
          <Badge component="span" leftSection={<IconStarFilled size={12} aria-hidden />}>
            Opens this list
          </Badge>
        )}
        <Text size="xs" c="dimmed">
          {wordsOf(saved)}
        </Text>
        <Text size="xs" c="dimmed">
          {wordsOfUse(saved, use)}
        </Text>
      </div>
      <div className={classes.acts}>
        {step('up', saved.orderNum - 1, IconArrowUp)}
        {step('down', saved.orderNum + 1, IconArrowDown)}
        {module && (
          <ActionIcon
            aria-label={isDefault ? `Open this list without ${saved.name}` : `Open this list with ${saved.name}`}
            title={isDefault ? 'Not the default any more' : 'Make it the default of this list'}
            aria-pressed={isDefault}
            onClick={() => makeDefault.mutate({ module, id: isDefault ? null : saved.id })}
          >
            <Star size={16} stroke={1.75} aria-hidden />
          </ActionIcon>
        )}
        <CopyLink saved={saved} link={link} />
        <ActionIcon aria-label={`Rename ${saved.name}`} title="Rename" onClick={() => setName(saved.name)}>
          <IconPencil size={16} stroke={1.75} aria-hidden />
        </ActionIcon>
        <ActionIcon aria-label={`Delete ${saved.name}`} title="Delete" onClick={ask}>
          <IconTrash size={16} stroke={1.75} aria-hidden />
        </ActionIcon>
      </div>
    </li>
  );
};

interface Props {
  filters: ListFilters;
  module: SearchModule | null;
  changes: SavedFilterChanges;
  deleted: (saved: SavedFilter) => void;
  close: () => void;
}

/** One's saved filters: their order, names, the default of this list, and their end. */
export const ManageFilters = ({ filters, module, changes, deleted, close }: Props) => {
  const list = useQuery(savedFiltersQuery);
  const { data: preferences } = useQuery({ ...searchPreferencesQuery, retry: false });
  const { data: uses } = useQuery(usesQuery);
  const [asking, ask] = useState<SavedFilter | null>(null);
  const router = useRouter();
  const linkTo = (saved: SavedFilter): string => {
    const search = { ...searchOf(criteriaOfSaved(saved), filters.kind.usual), view: 'ALL_PATIENTS' as const };
    return location.origin + router.buildLocation({ to: filters.base, search }).href;
  };
  const preferred = preferences?.find(({ moduleName }) => moduleName === module)?.filterId;
  if (asking)
    return (
      <Confirm
        title="Delete filter"
        word="Delete"
        act={() => changes.remove(asking)}
        done={() => {
          deleted(asking);
          ask(null);
        }}
        close={() => ask(null)}
      >
        {`“${asking.name}” will be deleted${preferred === asking.id ? ', and this list opens on its usual filter again' : ''}. It cannot be brought back.`}
      </Confirm>
    );
  return (
    <Modal opened onClose={close} title="Manage filters" size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Loaded query={list} what="saved filters">
        {(all) =>
          all.length === 0 ? (
            <Text c="dimmed">There are no saved filters.</Text>
          ) : (
            <ol className={classes.list}>
              {all.map((saved) => (
                <Item
                  key={saved.id}
                  saved={saved}
                  last={all.length}
                  isDefault={saved.id === preferred}
                  use={uses?.find(({ filterId }) => filterId === saved.id)}
                  module={module}
                  link={linkTo(saved)}
                  changes={changes}
                  ask={() => ask(saved)}
                />
              ))}
            </ol>
          )
        }
      </Loaded>
      <Group mt="lg">
        <Button variant="default" onClick={close}>
          Done
        </Button>
      </Group>
    </Modal>
  );
};
