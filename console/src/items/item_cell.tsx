import { type AttributeValue, shortText, typeClass, typeOf, typeWords } from "../api/attribute";
import { Icon } from "../ui/icon";

/** Stands beside the name of an attribute of the key. */
export function KeyMark() {
  return <span class="key-mark" title="a part of the key"><Icon name="key" /></span>;
}

/** A value on one line: its colour and a tag say its type, nested values are only counted. */
export function ItemCell({ value }: { value: AttributeValue | undefined }) {
  if (value === undefined) return <span class="absent" aria-label="absent">–</span>;
  const type = typeOf(value);
  const text = <span class={`${typeClass(type)} data`}>{shortText(value)}</span>;
  if (type === "N") return <span class="num">{text}</span>;
  if (type === "S" || type === "BOOL" || type === "NULL") return text;
  return <><span class="type-tag" title={typeWords[type]}>{type}</span> {text}</>;
}
