<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" tiledversion="1.10.2" name="crypt.tileset" tilewidth="16" tileheight="16" spacing="0" margin="0" tilecount="32" columns="8">
<image source="crypt.tileset.png" width="128" height="64"/>
<tile id="0" type="floor">
<properties>
<property name="id" type="int" value="0"/>
<property name="name" value="floor"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="true"/>
</properties>
</tile>
<tile id="1" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="2" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="8" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="9" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="10" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="11" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="12" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="13" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="14" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="15" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="16" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="17" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="18" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="19" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="20" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="21" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="22" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="23" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="27" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<wangsets>
<wangset name="wall" type="edge" tile="23">
<wangcolor name="wall" color="#85675a" tile="23" probability="1"/>
<wangtile tileid="8" wangid="0,0,0,0,0,0,0,0"/>
<wangtile tileid="9" wangid="1,0,0,0,0,0,0,0"/>
<wangtile tileid="10" wangid="0,0,1,0,0,0,0,0"/>
<wangtile tileid="11" wangid="1,0,1,0,0,0,0,0"/>
<wangtile tileid="12" wangid="0,0,0,0,1,0,0,0"/>
<wangtile tileid="13" wangid="1,0,0,0,1,0,0,0"/>
<wangtile tileid="14" wangid="0,0,1,0,1,0,0,0"/>
<wangtile tileid="15" wangid="1,0,1,0,1,0,0,0"/>
<wangtile tileid="16" wangid="0,0,0,0,0,0,1,0"/>
<wangtile tileid="17" wangid="1,0,0,0,0,0,1,0"/>
<wangtile tileid="18" wangid="0,0,1,0,0,0,1,0"/>
<wangtile tileid="19" wangid="1,0,1,0,0,0,1,0"/>
<wangtile tileid="20" wangid="0,0,0,0,1,0,1,0"/>
<wangtile tileid="21" wangid="1,0,0,0,1,0,1,0"/>
<wangtile tileid="22" wangid="0,0,1,0,1,0,1,0"/>
<wangtile tileid="23" wangid="1,0,1,0,1,0,1,0"/>
</wangset>
</wangsets>
</tileset>
