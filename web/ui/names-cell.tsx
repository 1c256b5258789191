import { useState } from 'react';
import { counted } from '#contract/counted.ts';
import classes from './names-cell.module.css';

/** Up to this many names are written out. */
const WRITTEN_OUT = 3;

/** Names in a cell: a few are written out, more are counted, as '12 groups', and open on demand. */
export const NamesCell = ({ names, one, many }: { names: readonly string[]; one: string; many: string }) => {
  const [open, setOpen] = useState(false);
  if (names.length <= WRITTEN_OUT) return names.join(', ') || 'None';
  return (
    <details className={classes.names} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{counted(names.length, one, many)}</summary>
      {open && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard
        <ul tabIndex={0} aria-label={counted(names.length, one, many)}>
          {names.map((name, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and rows hold no state
            <li key={`${at} ${name}`}>{name}</li>
          ))}
        </ul>
      )}
    </details>
  );
};
