const field = document.getElementById("filter");
if (field) field.addEventListener("input", () => {
  const wanted = field.value.toLowerCase();
  for (const item of document.querySelectorAll("#code details.class")) {
    const names = [...item.querySelectorAll(".name")].map(it => it.textContent.toLowerCase());
    item.hidden = wanted !== "" && !names.some(it => it.includes(wanted));
  }
});
