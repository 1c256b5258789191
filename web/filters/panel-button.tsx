import { IconAdjustmentsHorizontal } from '../ui/icons.ts';
import { Button } from '../ui/plain/button.tsx';

/** Opens and closes the filter panel; shows how many filters are applied. */
export const PanelButton = ({ count, open, toggle }: { count: number; open: boolean; toggle: () => void }) => (
  <Button
    size="xs"
    variant={open ? 'light' : 'default'}
    aria-expanded={open}
    leftSection={<IconAdjustmentsHorizontal size={16} stroke={1.75} aria-hidden />}
    onClick={toggle}
  >
    {count > 0 ? `Filters · ${count}` : 'Filters'}
  </Button>
);
