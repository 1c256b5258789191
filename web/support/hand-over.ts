/** Loaded only by installations with a support widget. */
import type { ApplicationInfo, Me, Team } from '#contract/accounts.ts';
import { call } from '../api/call.ts';
import { handToWidget } from './load-widget.ts';
import { widgetData } from './widget-data.ts';

/** Hands what the widget gets to know about the user to it. `filters`: whether the user has saved filters. */
export const handOver = async (
  widget: NonNullable<ApplicationInfo['features']['supportWidget']>,
  me: Me,
  team: Team,
  filters: boolean,
): Promise<void> => {
  // Without an answer, the widget learns the rest.
  const preferences = filters ? await call('GET /api/notification-filter-preferences').catch(() => []) : [];
  const filterNotifications = preferences.some(({ email, text }) => email || text);
  handToWidget(widget, widgetData(me, team, { filters, filterNotifications }));
};
