import { NativeSelect } from '@mantine/core';
import { counted } from '#contract/counted.ts';
import type { Feed } from '#contract/feeds.ts';
import { textOf } from '../forms/fields.ts';
import type { Form } from '../forms/use-form.ts';
import { IconAlertTriangle } from '../ui/icons.ts';
import { StatusBadge } from '../ui/status-badge.tsx';
import { DATE_ORDER_LABELS, seenOrder } from './date-orders.ts';
import type { SettingsValues } from './settings-form.ts';

/** How dates such as 03/04/2026 are read, with what the feed's messages have shown. */
export const DateOrderSelect = ({ form, feed }: { form: Form<SettingsValues>; feed: Feed | null }) => (
  <NativeSelect
    label="Order of month and day"
    description={`Used for dates such as 03/04/2026, which can be read in two ways. ${feed ? seenOrder(feed.seenDates) : ''}`.trim()}
    {...textOf(form, 'dateOrder')}
    data={[
      { value: '', label: 'Not set: these dates are not read' },
      { value: 'MDY', label: DATE_ORDER_LABELS.MDY },
      { value: 'DMY', label: DATE_ORDER_LABELS.DMY },
    ]}
  />
);

/** Marks a feed with dates that can be read in two ways while its settings don't say which. */
export const UnreadDates = ({ feed: { hasUnreadDates, seenDates } }: { feed: Feed }) =>
  hasUnreadDates ? (
    <StatusBadge color="caution" Icon={IconAlertTriangle}>
      Unclear dates in {counted(seenDates.EITHER, 'message')}. See Settings
    </StatusBadge>
  ) : null;
