import { Button } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { CardTable, type TableColumn } from '../ui/card-table.tsx';
import classes from './spotlights.module.css';

interface Props<T extends { id: string }> {
  /** What was found, in one sentence. */
  finding: string;
  note: string;
  /** Null where there is no number to draw. */
  chart: ReactNode | null;
  columns: readonly TableColumn<T>[];
  rows: readonly T[];
}

/** One question: a chart, or the same numbers as a table, which is also what is printed. */
export const Panel = <T extends { id: string }>({ finding, note, chart, columns, rows }: Props<T>) => {
  const [asTable, setAsTable] = useState(false);
  const caption = useId();
  return (
    <figure className={classes.panel} aria-labelledby={caption}>
      <figcaption id={caption} className={classes.caption}>
        <span className={classes.finding}>{finding}</span>
        <span className={classes.note}>{note}</span>
        <Button variant="default" size="compact-sm" className={classes.noPrint} onClick={() => setAsTable(!asTable)}>
          {asTable ? 'View chart' : 'View table'}
        </Button>
      </figcaption>
      {!asTable && chart !== null && <div className={classes.noPrint}>{chart}</div>}
      <div className={asTable ? undefined : classes.onlyPrint}>
        <CardTable label={finding} columns={columns} rows={rows} />
      </div>
    </figure>
  );
};
