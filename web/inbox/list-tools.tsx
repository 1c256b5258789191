import { Button } from '@mantine/core';
import { useState } from 'react';
import { loadChunk } from '../errors/load-chunk.ts';
import { useSession } from '../session/session.ts';
import { IconChevronDown } from '../ui/icons.ts';
import { Menu, MenuItem, MenuLabel } from '../ui/menu.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import type { InboxSearch } from './inbox-search.ts';
import { useColleagueName } from './use-colleague-name.ts';
import type { Inbox } from './use-inbox.ts';
import classes from './work.module.css';

const loadHandOver = () => loadChunk('hand-over', () => import('./hand-over.tsx')).then((file) => file.HandOver);
const loadDone = () =>
  loadChunk('recently-done', () => import('./recently-done.tsx')).then((file) => file.RecentlyDone);
const loadColleague = () =>
  loadChunk('colleague-dialog', () => import('./colleague-dialog.tsx')).then((file) => file.ColleagueDialog);

type Opened = 'hand-over' | 'done' | 'colleague' | null;

const WAITING_LABELS = { shown: 'Shown with the others', hide: 'Hidden', only: 'Only waiting' } as const;
const WAITING_WORDS = { hide: 'not waiting', only: 'waiting' } as const;

/** What the button says: whose stays are listed. */
const useLabel = ({ owner, waiting }: InboxSearch): string => {
  const colleague = useColleagueName(owner);
  const whose = owner === 'mine' ? 'Mine' : owner === 'none' ? 'Unassigned' : owner && colleague;
  const chosen = [whose, waiting && WAITING_WORDS[waiting]].filter(Boolean).join(', ');
  return chosen ? `Owner: ${chosen}` : 'Owner';
};

/** Selects all rows of the page, or none. */
export const PickPage = ({ inbox: { rows, picked, pick } }: { inbox: Inbox }) => {
  const isAll = rows.length > 0 && rows.every(({ id }) => picked.has(id));
  return (
    <label className={classes.pickAll}>
      <input
        type="checkbox"
        aria-label="Select this page"
        checked={isAll}
        disabled={rows.length === 0}
        ref={(box) => {
          if (box) box.indeterminate = !isAll && rows.some(({ id }) => picked.has(id));
        }}
        onChange={() => pick(isAll ? [] : rows)}
      />
    </label>
  );
};

/** Chooses whose stays are listed, and whether waiting ones are; hands over and shows what was done. */
export const ListTools = ({ inbox }: { inbox: Inbox }) => {
  const { search, patch } = inbox;
  const { can } = useSession();
  const [opened, open] = useState<Opened>(null);
  const HandOver = useLoaded(loadHandOver, opened === 'hand-over', false);
  const Done = useLoaded(loadDone, opened === 'done', false);
  const ColleagueDialog = useLoaded(loadColleague, opened === 'colleague', false);
  const close = (): void => open(null);
  const choose = (next: Pick<Partial<InboxSearch>, 'owner' | 'waiting'>): void =>
    patch({ ...next, p: undefined, sel: undefined });
  const { owner, waiting } = search;
  const isColleague = owner !== undefined && owner !== 'mine' && owner !== 'none';
  const label = useLabel(search);
  return (
    <>
      <Menu
        label="Owner"
        trigger={(button) => (
          <Button
            {...button}
            size="xs"
            variant={owner || waiting ? 'light' : 'default'}
            rightSection={<IconChevronDown size={16} stroke={1.75} aria-hidden />}
          >
            {label}
          </Button>
        )}
      >
        <MenuLabel>Owner</MenuLabel>
        <MenuItem checked={owner === undefined} choose={() => choose({ owner: undefined })}>
          Everyone
        </MenuItem>
        <MenuItem checked={owner === 'mine'} choose={() => choose({ owner: 'mine' })}>
          Mine
        </MenuItem>
        <MenuItem checked={owner === 'none'} choose={() => choose({ owner: 'none' })}>
          Unassigned
        </MenuItem>
        <MenuItem checked={isColleague} choose={() => open('colleague')}>
          A colleague…
        </MenuItem>
        <MenuLabel>Waiting pings</MenuLabel>
        {(['shown', 'hide', 'only'] as const).map((value) => (
          <MenuItem
            key={value}
            checked={(waiting ?? 'shown') === value}
            choose={() => choose({ waiting: value === 'shown' ? undefined : value })}
          >
            {WAITING_LABELS[value]}
          </MenuItem>
        ))}
        {can('canManagePings') && (
          <>
            <MenuLabel>My work</MenuLabel>
            <MenuItem choose={() => open('hand-over')}>Hand over…</MenuItem>
            <MenuItem choose={() => open('done')}>Recently done</MenuItem>
          </>
        )}
      </Menu>
      {opened === 'hand-over' && HandOver && <HandOver close={close} noteUndo={inbox.changes.noteUndo} />}
      {opened === 'done' && Done && <Done close={close} />}
      {opened === 'colleague' && ColleagueDialog && (
        <ColleagueDialog
          close={close}
          choose={({ id }) => {
            close();
            choose({ owner: id });
          }}
        />
      )}
    </>
  );
};
