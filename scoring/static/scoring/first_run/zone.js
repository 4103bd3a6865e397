/*
 * The time zone of this device, proposed where the club has none yet.
 */

const field = document.querySelector("input[name=time_zone]");

if (field && !field.value) {
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
}
