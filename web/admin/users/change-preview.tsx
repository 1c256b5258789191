import { PERMISSION_WORDS } from '#contract/permission-words.ts';
import type { Permission } from '#contract/permissions.ts';
import classes from '../admin.module.css';
import type { Directory } from '../use-directory.ts';
import type { Change } from './grant-changes.ts';

const Words = ({ label, permissions }: { label: string; permissions: readonly Permission[] }) =>
  permissions.length === 0 ? null : (
    <p>
      <b>{label}:</b> {permissions.map((flag) => PERMISSION_WORDS[flag].may).join('; ')}.
    </p>
  );

/** What saving will add and take away, in plain words, before it is saved. Nothing where nothing changes. */
export const ChangePreview = ({ changes, directory }: { changes: readonly Change[]; directory: Directory }) => (
  <div className={classes.preview} aria-live="polite">
    {changes.map(({ places, adds, takes }) => (
      <div key={directory.placesName(places)}>
        <p className={classes.place}>{directory.placesName(places)}</p>
        <Words label="Adds" permissions={adds} />
        <Words label="Takes away" permissions={takes} />
      </div>
    ))}
  </div>
);
