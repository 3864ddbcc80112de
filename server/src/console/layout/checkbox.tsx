interface CheckboxProps {
  readonly name: string;
  readonly label: string;
  readonly isChecked: boolean;
}

/** A box to tick; sent as "yes" where it is ticked. */
export function Checkbox({ name, label, isChecked }: CheckboxProps) {
  return (
    <div class="check">
      <input id={name} name={name} type="checkbox" value="yes" checked={isChecked} />
      <label for={name}>{label}</label>
    </div>
  );
}
