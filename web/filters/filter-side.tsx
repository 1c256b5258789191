import { Button, Drawer } from '@mantine/core';
import { type ComponentProps, useEffect, useRef } from 'react';
import { useBack } from '../router/use-back.ts';
import { useReturnFocus } from '../ui/use-return-focus.ts';
import { useWidth } from '../ui/use-width.ts';
import classes from './filter-panel.module.css';
import { FilterPanel } from './filter-panel.tsx';
import type { FocusRequest } from './use-filter-panel.ts';

interface Props extends Omit<ComponentProps<typeof FilterPanel>, 'finder' | 'name'> {
  /** "48 patients", for the button that closes a panel over the list; null while unknown. */
  results: string | null;
  /** The field that a shortcut asked for. */
  focus: FocusRequest | null;
  close: () => void;
}

/** The filter panel where it fits: beside the list on a desktop, over it on a tablet, from below on a phone. */
export const FilterSide = ({ results, focus, close, ...panel }: Props) => {
  const width = useWidth();
  const finder = useRef<HTMLInputElement>(null);
  const name = useRef<HTMLInputElement>(null);
  const isOver = width !== 'wide';
  useReturnFocus(isOver);
  useBack(close, isOver);
  useEffect(() => {
    if (focus) (focus.field === 'name' ? name : finder).current?.focus();
  }, [focus]);
  const body = <FilterPanel {...panel} finder={finder} name={name} />;
  if (!isOver)
    return (
      <aside className={classes.side} aria-label="Filters">
        {body}
      </aside>
    );
  return (
    <Drawer
      opened
      onClose={close}
      position={width === 'narrow' ? 'bottom' : 'left'}
      size={width === 'narrow' ? '92%' : 360}
      padding={0}
      withCloseButton={false}
      attributes={{ content: { 'aria-label': 'Filters' } }}
      classNames={{ body: classes.drawer, content: classes.drawerContent }}
    >
      <div className={classes.drawerScroll}>{body}</div>
      <div className={classes.drawerFoot}>
        <Button fullWidth onClick={close}>
          {results === null ? 'Show results' : `Show ${results}`}
        </Button>
      </div>
    </Drawer>
  );
};
