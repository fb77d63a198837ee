"use strict";
(function () {
  var data = JSON.parse(document.getElementById("frames").textContent);
  var frames = data.frames;
  var at = 0;
  var timer = null;
  function id(name) { return document.getElementById(name); }
  var lines = id("log").children;
  function show(number) {
    at = Math.max(0, Math.min(number, frames.length - 1));
    var frame = frames[at];
    id("board").innerHTML = data.pictures[frame.picture];
    id("turn").textContent = frame.now;
    id("words").textContent = data.tables[frame.table].join("\n");
    id("where").textContent = at + " / " + (frames.length - 1);
    id("slider").value = at;
    id("first").disabled = id("back").disabled = at === 0;
    id("last").disabled = id("next").disabled = at === frames.length - 1;
    var before = at ? frames[at - 1].told : 0;
    for (var i = 0; i < lines.length; i++) {
      lines[i].className = i >= frame.told ? "later" : i >= before ? "now" : "";
    }
    id("log").scrollTop = id("log").scrollHeight;
  }
  function stop() {
    clearInterval(timer);
    timer = null;
    id("play").setAttribute("aria-pressed", "false");
  }
  function play() {
    if (timer) { stop(); return; }
    if (at === frames.length - 1) { show(0); }
    id("play").setAttribute("aria-pressed", "true");
    timer = setInterval(function () {
      if (at === frames.length - 1) { stop(); } else { show(at + 1); }
    }, 1200);
  }
  function go(number) { stop(); show(number); }
  id("first").onclick = function () { go(0); };
  id("back").onclick = function () { go(at - 1); };
  id("next").onclick = function () { go(at + 1); };
  id("last").onclick = function () { go(frames.length - 1); };
  id("play").onclick = play;
  id("slider").oninput = function () { go(Number(id("slider").value)); };
  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.id === "slider") { return; }
    var key = event.key;
    if (key === " " && event.target.tagName === "BUTTON") { return; }
    var steps = { ArrowRight: at + 1, ArrowLeft: at - 1, PageDown: at + 10, PageUp: at - 10, Home: 0, End: frames.length - 1 };
    if (key === " ") { play(); } else if (key in steps) { go(steps[key]); } else { return; }
    event.preventDefault();
  });
  id("slider").max = frames.length - 1;
  id("controls").hidden = false;
  show(Number(location.hash.slice(1)) || 0);
})();
