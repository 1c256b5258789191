import { ActionIcon, Badge, Button, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { NotificationPreference } from '#contract/notifications.ts';
import { FILTER_NAME_LIMIT, type SearchModule } from '#contract/saved-filter-words.ts';
import type { FilterUse, SavedFilter } from '#contract/saved-filters.ts';
import { NotificationBell } from '../notifications/notification-bell.tsx';
import { announce } from '../ui/announcer.tsx';
import {
  IconArrowDown,
  IconArrowUp,
  IconCopy,
  IconPencil,
  IconStar,
  IconStarFilled,
  IconTrash,
  IconUsers,
} from '../ui/icons.ts';
import { showToast } from '../ui/toasts.tsx';
import { criteriaSummary, isAboutPerson, sharingSummary, usageSummary } from './saved-filter-summary.ts';
import classes from './saved-filters.module.css';
import type { SavedFilterChanges } from './use-saved-filter-changes.ts';

/** Copies a link that opens the list with the criteria of a filter, except for a name or birth date: no URL holds those. */
const CopyLink = ({ saved, link }: { saved: SavedFilter; link: string }) => {
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(link);
      const { query, dateOfBirth } = saved.userDefinedFacetPreferences;
      const omission = query || dateOfBirth ? ' It leaves out the name or birth date.' : '';
      showToast({ type: 'success', message: `Link to ${saved.name} copied.${omission}` });
    } catch {
      showToast({
        type: 'warning',
        message: 'Your browser blocked copying the link. Allow clipboard access for this site, then try again.',
      });
    }
  };
  return (
    <ActionIcon
      aria-label={`Copy link to ${saved.name}`}
      title="Copy link to share with your team"
      onClick={() => void copy()}
    >
      <IconCopy size={16} stroke={1.75} aria-hidden />
    </ActionIcon>
  );
};

interface RenameFormProps {
  saved: SavedFilter;
  rename: (name: string) => void;
  close: () => void;
}

const RenameForm = ({ saved, rename, close }: RenameFormProps) => {
  const [name, setName] = useState(saved.name);
  const submit = (): void => {
    const next = name.trim();
    if (next && next !== saved.name) rename(next);
    close();
  };
  return (
    <form
      className={classes.rename}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextInput
        // The form appears after a click on "Rename".
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        aria-label={`New name for ${saved.name}`}
        maxLength={FILTER_NAME_LIMIT}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          close();
        }}
      />
      <Button type="submit" size="xs" disabled={name.trim() === ''}>
        Rename
      </Button>
      <Button size="xs" variant="default" onClick={close}>
        Cancel
      </Button>
    </form>
  );
};

interface MoveButtonProps {
  saved: SavedFilter;
  by: 1 | -1;
  /** How many filters there are. */
  count: number;
  move: SavedFilterChanges['move'];
}

const MoveButton = ({ saved, by, count, move }: MoveButtonProps) => {
  const to = saved.orderNum + by;
  const direction = by === -1 ? 'up' : 'down';
  const Icon = by === -1 ? IconArrowUp : IconArrowDown;
  return (
    <ActionIcon
      aria-label={`Move ${saved.name} ${direction}`}
      title={`Move ${direction}`}
      disabled={to < 1 || to > count}
      onClick={() => {
        if (move.isPending) return;
        move.mutate({ saved, orderNum: to });
        announce(`${saved.name} moved to ${to} of ${count}.`);
      }}
    >
      <Icon size={16} stroke={1.75} aria-hidden />
    </ActionIcon>
  );
};

interface DefaultButtonProps {
  saved: SavedFilter;
  isDefault: boolean;
  set: (isDefault: boolean) => void;
}

const DefaultButton = ({ saved, isDefault, set }: DefaultButtonProps) => {
  const Star = isDefault ? IconStarFilled : IconStar;
  return (
    <ActionIcon
      aria-label={isDefault ? `Remove ${saved.name} as my default view` : `Make ${saved.name} my default view`}
      title={isDefault ? 'Remove as my default view' : 'Make this my default view'}
      aria-pressed={isDefault}
      onClick={() => set(!isDefault)}
    >
      <Star size={16} stroke={1.75} aria-hidden />
    </ActionIcon>
  );
};

/** Shares the user's own filter with the team, or stops that. */
const ShareButton = ({ saved, share }: { saved: SavedFilter; share: SavedFilterChanges['share'] }) => {
  const { name, isShared } = saved;
  const isPersonal = !isShared && isAboutPerson(saved);
  const label = isShared ? `Stop sharing ${name}` : `Share ${name} with the team`;
  return (
    <ActionIcon
      aria-label={label}
      title={
        isPersonal
          ? "Can't be shared: it looks for a name, ID or birth date"
          : isShared
            ? 'Stop sharing. Others lose it, with their notifications for it'
            : 'Share with the team'
      }
      aria-pressed={isShared}
      disabled={isPersonal}
      onClick={() => !share.isPending && share.mutate({ saved, shared: !isShared })}
    >
      <IconUsers
        size={16}
        stroke={1.75}
        color={isShared ? 'var(--mantine-primary-color-filled)' : undefined}
        aria-hidden
      />
    </ActionIcon>
  );
};

interface Props {
  saved: SavedFilter;
  /** How many filters of the user's own there are. */
  count: number;
  isDefault: boolean;
  use: FilterUse | undefined;
  /** Where the filter can be the default; null where it cannot. */
  module: SearchModule | null;
  link: string;
  changes: SavedFilterChanges;
  preference: NotificationPreference | undefined;
  /** Opens the notifications of the filter; null for users who may not see pings. */
  editNotifications: (() => void) | null;
  /** Asks whether to delete the filter. */
  askDelete: () => void;
}

/** A saved filter in the list of all: what it is, and what can be done with it. */
export const SavedFilterItem = (props: Props) => {
  const { saved, count, isDefault, use, module, link, changes, askDelete, preference, editNotifications } = props;
  const [renaming, setRenaming] = useState(false);
  const { rename, share, move, makeDefault } = changes;
  const sharing = sharingSummary(saved);
  if (renaming)
    return (
      <li className={classes.item}>
        <RenameForm saved={saved} rename={(name) => rename.mutate({ saved, name })} close={() => setRenaming(false)} />
      </li>
    );
  return (
    <li className={classes.item}>
      <div className={classes.named}>
        <span className={classes.name}>{saved.name}</span>{' '}
        {isDefault && (
          <Badge component="span" leftSection={<IconStarFilled size={12} aria-hidden />}>
            Default
          </Badge>
        )}
        {sharing && <Text size="xs">{sharing}</Text>}
        <Text size="xs" c="dimmed">
          {criteriaSummary(saved)}
        </Text>
        <Text size="xs" c="dimmed">
          {usageSummary(saved, use)}
        </Text>
      </div>
      <div className={classes.acts}>
        {saved.owner.isYou && (
          <>
            <MoveButton saved={saved} by={-1} count={count} move={move} />
            <MoveButton saved={saved} by={1} count={count} move={move} />
          </>
        )}
        {module && (
          <DefaultButton
            saved={saved}
            isDefault={isDefault}
            set={(next) => makeDefault.mutate({ module, id: next ? saved.id : null })}
          />
        )}
        {editNotifications && <NotificationBell name={saved.name} preference={preference} edit={editNotifications} />}
        <CopyLink saved={saved} link={link} />
        {saved.owner.isYou && <ShareButton saved={saved} share={share} />}
        {saved.mayChange && (
          <>
            <ActionIcon aria-label={`Rename ${saved.name}`} title="Rename" onClick={() => setRenaming(true)}>
              <IconPencil size={16} stroke={1.75} aria-hidden />
            </ActionIcon>
            <ActionIcon aria-label={`Delete ${saved.name}`} title="Delete" onClick={askDelete}>
              <IconTrash size={16} stroke={1.75} aria-hidden />
            </ActionIcon>
          </>
        )}
      </div>
    </li>
  );
};
