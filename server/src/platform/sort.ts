/** What a list is sorted by, and in which direction. */
export interface Sort<By extends string = string> {
  readonly by: By;
  readonly isDescending: boolean;
}
