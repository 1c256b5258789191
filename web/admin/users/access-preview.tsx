import classes from '../admin.module.css';
import { PermissionChange } from '../directory/permission-change.tsx';
import type { Directory } from '../directory/use-directory.ts';
import type { AccessChange } from './grant-changes.ts';

/** What saving will add and remove, in plain words, by team and group. */
export const AccessPreview = ({ changes, directory }: { changes: readonly AccessChange[]; directory: Directory }) => (
  <div className={classes.preview} aria-live="polite">
    {changes.map(({ places, adds, removes }) => (
      <div key={directory.placesName(places)}>
        <p className={classes.place}>{directory.placesName(places)}</p>
        <PermissionChange adds={adds} removes={removes} />
      </div>
    ))}
  </div>
);
