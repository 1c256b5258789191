/** What open pages learn about the pings of an event. */
export interface PingChange {
  eventId: string;
  groupId: string;
  /** hidden: a 42 CFR Part 2 facility may no longer disclose the visit to the group. */
  change: 'arrived' | 'amended' | 'cancelled' | 'hidden' | 'status';
}
